"""The commands about the books: a noted code and records of every round."""

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.croupier.identities import User
from bot.croupier.privacy import Privacy
from bot.ledger.ledger import open_ledger
from bot.rules.hashing import short_code
from bot.table.commands import Join, Leave, RevealHand, SetClientSeed
from bot.table.round_proof import first_mismatch
from tests.cli.runner import ask, refusal
from tests.croupier.croupier_house import MEI, SERVER, House

ZOE = User(800_000_000_000_000_017, "Zoe Quillfeather", "en-US")
WORDS = "garden gate"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///gnau.db")


async def play(database: Path, rounds: int) -> str:
    """Zoe plays some rounds against Mei, and leaves; returns the code of the books after the first round."""
    async with House(database) as house:
        zoe = await house.croupier.identities.party_of(SERVER, ZOE)
        table_id = await house.open_with_bank()
        await house.do(table_id, Join(zoe), zoe)
        await house.do(table_id, SetClientSeed(zoe, WORDS), zoe)
        codes = []
        for _ in range(rounds):
            await house.bet(table_id, zoe, 10)
            for party in (MEI, zoe):
                await house.do(table_id, RevealHand(party), party)
            head = await house.ledger.head(SERVER)
            assert head is not None
            codes.append(short_code(head[1]))
        await house.do(table_id, Leave(zoe), zoe)
        return codes[0]


@pytest.fixture
def code(tmp_path: Path) -> str:
    return asyncio.run(play(tmp_path / "gnau.db", 2))


def test_a_noted_code_is_found_again_with_its_server_and_time(code: str) -> None:
    result = ask("db", "check", "--head", code.lower().replace("-", " "))

    assert result.exit_code == 0, result.output
    faultless, found = result.stdout.splitlines()
    assert faultless == "gnau.db: no faults"
    assert found.startswith(f"{code} is link ")
    assert re.search(rf" of the chain of server {SERVER}, written \d{{4}}-\d\d-\d\d ", found)


def test_a_restored_old_copy_does_not_have_the_code(tmp_path: Path) -> None:
    asyncio.run(play(tmp_path / "gnau.db", 1))
    shutil.copy("gnau.db", "old.db")
    code = asyncio.run(play(tmp_path / "gnau.db", 1))
    assert ask("db", "check", "--head", code).exit_code == 0

    result = ask("db", "check", "--head", code, "old.db")

    assert result.exit_code == 1
    assert result.stdout == (
        f"the head {code} is in none of its chains: it was mistyped, what was written then was changed or "
        "cut off, or this is an older backup or another database\n"
    )
    assert result.stderr == "", "no reason to put a backup back"


def test_what_is_no_code_is_refused(code: str) -> None:
    assert "a code has 25 letters and digits" in refusal("db", "check", "--head", code[:-1])


def test_every_settled_round_is_exported_for_its_owner_alone_and_verified(code: str) -> None:
    result = ask("rounds", "export", "records/all")

    assert result.stdout == "records/all has the records of 2 rounds\n"
    records = sorted(Path("records/all").iterdir())
    assert [record.name for record in records] == [
        f"server-{SERVER}-table-1-round-{number}.json" for number in (1, 2)
    ]
    records[0].chmod(0o644)
    ask("rounds", "export", "records/all")
    assert Path("records/all").stat().st_mode & 0o777 == 0o700
    assert {record.stat().st_mode & 0o777 for record in records} == {0o600}
    for record in records:
        assert first_mismatch(record.read_text()) is None
        told = json.loads(record.read_text())
        assert ZOE.name in told["names"].values()
        assert str(ZOE.user_id) not in record.read_text()
    assert [one["words"] for one in json.loads(records[0].read_text())["words"].values()] == [WORDS]


def test_an_erased_member_is_in_no_export(code: str, tmp_path: Path) -> None:
    async def erase() -> None:
        async with House(tmp_path / "gnau.db") as house:
            assert isinstance(await Privacy(house.croupier).erase(SERVER, ZOE.user_id), int)

    asyncio.run(erase())
    ask("rounds", "export", "records")

    for record in Path("records").iterdir():
        assert first_mismatch(record.read_text()) is None
        assert ZOE.name not in record.read_text()
        assert WORDS not in record.read_text()
    assert ask("db", "check").exit_code == 0


def test_a_host_can_export_and_erase_for_a_user_who_writes_to_them(code: str) -> None:
    exported = ask("privacy", "export", str(ZOE.user_id))
    assert json.loads(exported.stdout)["servers"][0]["name"] == ZOE.name

    result = ask("privacy", "erase", str(ZOE.user_id))

    assert result.stdout.startswith(f"the user is erased in server {SERVER}; chips that went to the house: ")
    for command in ("export", "erase"):
        assert refusal("privacy", command, str(ZOE.user_id)) == (
            f"nothing is stored about the user {ZOE.user_id}"
        )
    assert ask("db", "check").exit_code == 0


def test_a_host_cannot_erase_who_sits_at_a_table(tmp_path: Path) -> None:
    async def sit() -> None:
        async with House(tmp_path / "gnau.db") as house:
            zoe = await house.croupier.identities.party_of(SERVER, ZOE)
            await house.do(await house.open_with_bank(), Join(zoe), zoe)

    asyncio.run(sit())

    result = ask("privacy", "erase", str(ZOE.user_id))

    assert result.exit_code == 1
    assert result.stdout == (
        f"the user is not erased in server {SERVER}: close table 1 with /table close while the bot runs, and "
        "try again\n"
    )


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(code: str) -> None:
    Path("taken").write_text("")
    assert refusal("rounds", "export", "taken") == "taken cannot be created: File exists"


def test_a_restored_backup_names_no_erased_member(tmp_path: Path) -> None:
    asyncio.run(play(tmp_path / "gnau.db", 1))
    assert ask("db", "backup", "copy.db").exit_code == 0

    async def erase() -> None:
        async with House(tmp_path / "gnau.db") as house:
            await Privacy(house.croupier).erase(SERVER, ZOE.user_id)

    asyncio.run(erase())
    assert ask("db", "restore", "copy.db").exit_code == 0

    assert ZOE.name.encode() not in Path("gnau.db").read_bytes()
    assert ask("db", "check").exit_code == 0


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_backup_restored_elsewhere_warns_that_erasures_are_not_noted_there(
    code: str, lose: Callable[[Path], object]
) -> None:
    assert ask("db", "backup", "copy.db").exit_code == 0
    lose(Path("gnau.db"))

    result = ask("db", "restore", "copy.db")

    assert result.exit_code == 0
    assert "gnau.db.erased: if members were erased after that backup, they are back\n" in result.stderr


def test_the_command_says_who_is_known_only_by_number(code: str) -> None:
    async def party() -> int:
        async with open_ledger("sqlite:///gnau.db") as ledger:
            identity = await ledger.identity_of(SERVER, ZOE.user_id)
            assert identity is not None
            return identity.party

    ask("rounds", "export", "records")
    record = json.loads(next(Path("records").iterdir()).read_text())
    assert record["sheet"]["players"][0]["party"] == str(asyncio.run(party()))
