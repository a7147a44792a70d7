"""The terms that a translation decides once, and the glossary that one begins with."""

from typing import Final

TERMS: Final = {
    "Gnau": "the card game: the Hokkien name of 牛, ox",
    "Tau Ngau": "the tile game: 鬥牛, bull fighting",
    "Niu Niu": "the card game: 牛牛; also its best hand with a bull",
    "ox": "three pieces that total a multiple of 10, in Gnau",
    "niu": "the same in Niu Niu: a bull",
    "discard": "the same in Tau Ngau: the three tiles that are laid aside",
    "power cards": "the two cards that an ox leaves, in Gnau",
    "number": "the last digit of the two cards that a niu leaves",
    "score": "the last digit of the two tiles that a discard leaves",
    "No Ox, No Niu, No discard": "a hand without three that total a multiple of 10",
    "Ox of 8": "a hand with an ox, whose power cards make 8",
    "Double-Ox": "an ox with two power cards of one rank",
    "Ngau Tonku": "an ox with the ace of spades and a J, Q or K: 牛冬菇",
    "Five Dukes": "five of J, Q and K: 五公",
    "Five Small": "five of A to 4",
    "Five Flowers": "five of J, Q and K, in Niu Niu: 五花牛",
    "Bomb": "four cards of one rank, in Niu Niu",
    "Nenku": "an ox with an ace and a J, Q or K: an Ox of 1",
    "suited": "of one suit",
    "wild": "a tile, or a 3 or 6, that counts 3 or 6",
    "woodpile": "the 32 tiles of Tau Ngau, Chinese dominoes",
    "card, tile, deck": "what is played with",
    "chips": "play money",
    "points": "what is won where no chips are bet; a score",
    "bet": "chips on one's own hand",
    "side bet, to back": "chips on another player's hand",
    "held": "set aside until the round is settled",
    "free": "chips that are not held",
    "banker, bank": "the one whom all others play against; to bank",
    "house": "the server as banker; house rules are its rules",
    "bankroll": "the chips with which the house banks",
    "computer player": "who keeps members company at a table, with chips of the house",
    "table": "what is opened in a channel",
    "round, deal, showdown": "bets, hands, results",
    "hand": "five cards or tiles of one player",
    "reveal": "to show one's own hand to everybody",
    "push": "a tie that returns the bet",
    "multiple": "how many times the bet a hand wins",
    "limits": "the lowest and the highest bet",
    "edge": "what the bank wins on average of what is bet",
    "seat": "a player's place at a table",
    "sit out": "to keep a seat without playing a round",
    "panel": "a private message with one's own hand, bet and buttons",
    "seal, receipt": "codes by which everybody can check a shuffle, shown before and after",
    "seed, words for the shuffle": "what a player adds to the shuffle",
    "preset": "a named set of house rules",
    "books, ledger": "the record of all chips; one's own lines of it",
}
"""Terms in English, with what they mean."""


def new_glossary(language: str) -> str:
    """A glossary without translations yet, as Markdown.

    Args:
        language: the English name of the language.
    """
    rows = [f"| {term} | {meaning} | | |" for term, meaning in TERMS.items()]
    return "\n".join(
        [
            f"# Glossary: {language}",
            "",
            "One term for one thing, as players of this language say it; say where each was found.",
            "",
            "| English | what it is | here | source, and why |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )
