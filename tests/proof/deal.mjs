// Deals rounds again, written from docs/FAIRNESS.md alone. "Step" means a step of that page.
// stdin: a JSON array of records (gnau/2). stdout: one JSON line for each record.
// Everything comes from `secret` and `sheet`; the receipt alone needs the rest of the record.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const FORMAT = "gnau/2";
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PIECES_IN_A_HAND = 5;
const THROWS_FOR_EACH_SEAT = 16;
const TILES = (
  "6-6 6-6 1-1 1-1 4-4 4-4 3-1 3-1 5-5 5-5 3-3 3-3 2-2 2-2 6-5 6-5 6-4 6-4 " +
  "6-1 6-1 5-1 5-1 6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1"
).split(" ");
const CARDS = "A 2 3 4 5 6 7 8 9 10 J Q K"
  .split(" ")
  .flatMap((rank) => [..."CDHS"].map((suit) => rank + suit));

/** The canonical text of a JSON value. JSON.stringify escapes strings as the page says. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** The code of a text: the first 125 bits of its SHA-256, as 25 digits in groups of five. */
function code(text) {
  const hash = createHash("sha256").update(text, "utf8").digest("hex");
  const bits = BigInt(`0x${hash.slice(0, 32)}`) >> 3n; // 128 bits, without the last three
  const digits = Array.from({ length: 25 }, (_, i) => DIGITS[Number((bits >> BigInt(120 - 5 * i)) & 31n)]);
  return digits.join("").match(/.{5}/g).join("-");
}

/** Step 1: the seal of a secret, for a table and a round. */
function sealOf(secret, { table, round, purpose: use }) {
  return code(canonical({ format: FORMAT, purpose: "seal", round, secret, table, use }));
}

/** Steps 2 and 3: a function that returns the next random number below n. */
function randomNumbers(secret, sheet) {
  const key = Buffer.from(secret, "hex");
  const seed = createHmac("sha256", key).update(canonical(sheet), "utf8").digest();
  let counter = 0n;
  let block = Buffer.alloc(0);
  let place = 0;
  function next() {
    if (place === block.length) {
      const message = Buffer.alloc(8);
      message.writeBigUInt64BE(counter++);
      block = createHmac("sha256", seed).update(message).digest();
      place = 0;
    }
    place += 4;
    return block.readUInt32BE(place - 4);
  }
  return function below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let number = next();
    while (number >= limit) number = next();
    return number % n;
  };
}

/** Step 4: the pack in its first order. Only games of cards have the knob `decks`. */
function packFor({ rules, players }) {
  if (rules.decks === undefined) return [...TILES];
  const hands = players.length + 1;
  const decks = Math.max(rules.decks, Math.ceil(hands / 10));
  return Array.from({ length: decks }, () => CARDS).flat();
}

/** Step 5: shuffles the pack in place. */
function shuffle(pack, below) {
  for (let p = pack.length - 1; p >= 1; p--) {
    const other = below(p + 1);
    [pack[p], pack[other]] = [pack[other], pack[p]];
  }
}

/** Step 6: the hands of the players, in the order of the sheet, and then the banker's. */
function deal(sheet, pack) {
  const players = sheet.players.map(() => []);
  const banker = [];
  const served = sheet.rules.direction === "clockwise" ? [...players] : [...players].reverse();
  served.push(banker);
  let place = 0;
  for (let turn = 0; turn < PIECES_IN_A_HAND; turn++) {
    for (const hand of served) hand.push(pack[place++]);
  }
  return [...players, banker];
}

/** Step 7: who banks, and every throw on the way. */
function throwDice({ secret, sheet }) {
  const below = randomNumbers(secret, sheet);
  const throws = [];
  let left = THROWS_FOR_EACH_SEAT * sheet.seats.length;
  let parties = sheet.seats.filter((seat) => seat.rolls).map((seat) => seat.party);
  do {
    const totals = parties.map((party) => {
      const dice = [below(6) + 1, below(6) + 1];
      throws.push({ party, dice });
      return dice[0] + dice[1];
    });
    left -= parties.length;
    const highest = Math.max(...totals);
    parties = parties.filter((_, i) => totals[i] === highest);
  } while (parties.length > 1 && parties.length <= left);
  return { seal: sealOf(secret, sheet), throws, banker: parties[0] };
}

/** Step 9: the receipt. */
function receiptOf(record) {
  const { receipt, names, words, ...rest } = record;
  return code(canonical(rest));
}

for (const record of JSON.parse(readFileSync(0, "utf8"))) {
  const { secret, sheet } = record;
  const pack = packFor(sheet);
  shuffle(pack, randomNumbers(secret, sheet));
  const answer = {
    seal: sealOf(secret, sheet),
    receipt: receiptOf(record),
    hands: deal(sheet, pack),
    dice: sheet.dice && throwDice(sheet.dice),
  };
  console.log(JSON.stringify(answer));
}
