"""Computes the reviews and refusals of a signer. Written from docs/TRANSACTION.md and docs/APDU.md#refusal-order."""
import datetime, struct
from keys import address, sha3

SEND, APPROVAL, TOKEN = 1, 4, 11
TYPES = {SEND: "Send ZBC", APPROVAL: "Approve escrow", TOKEN: "Send token"}
BODIES = {SEND: (8,), APPROVAL: (36,), TOKEN: (16, 17)}
ZBC, NONE = 0, 2
KINDS = (
    ("ZBC", 32), ("Bitcoin", 20), ("none", 0), ("Estonian eID", 32), ("Ethereum", 20), ("Bitcoin P2PKH", 20),
    ("Bitcoin P2SH", 20), ("Bitcoin P2WPKH", 20), ("Bitcoin P2WSH", 32), ("Bitcoin Taproot", 32), ("Dataset", 32),
    ("Solana", 32), ("Polkadot", 32), ("Cardano", 28), ("XRP", 20), ("Tron", 20), ("Tezos", 20),
)  # fmt: skip
MAX_TRANSACTION, MAX_MESSAGE, MAX_INSTRUCTION, MAX_SIGNED, SIGNATURE = 2048, 256, 512, 2048, 64
LINKED, COIN = 12, 10**8
LAST_SECOND = 253402300799  # The last second of the year 9999.


class Refusal(Exception):
    """A refusal; its arguments are the name of a status word, and a field."""


def require(condition, field, name="MALFORMED"):
    if not condition:
        raise Refusal(name, field)


class Reader:
    """Reads fields in wire order. All refusals of a linked transaction name the same field, LINKED."""

    def __init__(self, data, is_linked=False):
        self.rest, self.is_linked = data, is_linked

    def require(self, condition, field, name="MALFORMED"):
        require(condition, LINKED if self.is_linked else field, name)

    def take(self, count, field):
        self.require(count <= len(self.rest), field)
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self, form, field):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form), field))[0]

    def account(self, field, lengths=(20, 28, 32)):
        """Returns an account as its kind and payload; None for the kind that has no account."""
        kind = self.number("I", field)
        self.require(kind < len(KINDS) and (kind == NONE or KINDS[kind][1] in lengths), field)
        return None if kind == NONE else (kind, self.take(KINDS[kind][1], field))

    def counted(self, most, length_field, field):
        length = self.number("I", length_field)
        self.require(self.is_linked or length <= most, length_field, "TOO_LARGE")
        return self.take(length, field)


def parse(data, own, linked=None):
    """Returns the fields of a transaction, and of the linked transaction that it decides. Raises the first Refusal.
    `linked` is None if `data` is itself a linked transaction."""
    is_linked = linked is None
    reader = Reader(data, is_linked)
    tx = {"type": reader.number("I", 1)}
    if is_linked:
        reader.require(tx["type"] in (SEND, TOKEN), 1)
    reader.require(tx["type"] in TYPES, 1, "UNSUPPORTED_TYPE")
    reader.require(reader.number("B", 2) == 1, 2)
    tx["timestamp"] = reader.number("Q", 3)
    reader.require(tx["timestamp"] > 0, 3)
    kind, sender = reader.number("I", 4), reader.take(32, 4)
    reader.require(is_linked or (kind, sender) == (ZBC, own), 4, "SENDER_MISMATCH")
    reader.require(kind == ZBC, 4)
    tx["sender"] = (kind, sender)
    tx["recipient"] = reader.account(5)
    reader.require((tx["recipient"] is None) == (tx["type"] == APPROVAL), 5)
    tx["fee"] = reader.number("Q", 6)
    length = reader.number("I", 7)
    reader.require(length in BODIES[tx["type"]], 7)
    read_body(reader, tx, length)
    tx["escrow"] = read_escrow(reader, tx, own)
    tx["message"] = reader.counted(MAX_MESSAGE, 10, 11)
    reader.require(len(reader.rest) == (SIGNATURE if is_linked else 0), 11)
    if linked is not None:
        require(not linked or tx["type"] == APPROVAL, LINKED)
        if tx["type"] == APPROVAL:
            require(sha3(linked) == tx["hash"], 8, "ESCROW_HASH_MISMATCH")
            tx["linked"] = parse(linked, own)
    return tx


def read_body(reader, tx, length):
    if tx["type"] == SEND:
        tx["amount"] = reader.number("Q", 8)
    elif tx["type"] == APPROVAL:
        tx["decision"], tx["hash"] = reader.number("I", 8), reader.take(32, 8)
        reader.require(tx["decision"] in (0, 1), 8)
    else:
        tx["token"], tx["amount"] = reader.number("q", 8), reader.number("q", 8)
        tx["fee in token"] = reader.number("B", 8) if length == 17 else None
        reader.require(tx["token"] != 0 and tx["amount"] >= 0 and tx["fee in token"] in (None, 0, 1), 8)


def read_escrow(reader, tx, own):
    approver = reader.account(9, (32,))
    if approver is None:
        reader.require(not reader.is_linked, 9)
        return None
    reader.require(tx["type"] != APPROVAL, 9)
    reader.require(not reader.is_linked or approver == (ZBC, own), 9, "SENDER_MISMATCH")
    commission, timeout = reader.number("Q", 9), reader.number("Q", 9)
    reader.require(reader.is_linked or timeout > tx["timestamp"], 9)
    instruction, flag = reader.counted(MAX_INSTRUCTION, 9, 9), reader.number("B", 9)
    reader.require(flag in (0, 1), 9)
    return {"approver": approver, "commission": commission, "timeout": timeout, "text": instruction, "flag": flag}


def accept(tx, own, linked=b"", token=None):
    """Returns the parsed transactions of an upload; raises a Refusal."""
    require(tx, 0)
    require(len(tx) <= MAX_TRANSACTION, 0, "TOO_LARGE")
    require(len(linked) <= MAX_TRANSACTION + SIGNATURE, 0, "TOO_LARGE")
    require(not token or struct.unpack("<I", tx[:4].ljust(4, b"\0"))[0] == TOKEN, 0)
    return parse(tx, own, linked)


def accept_message(message):
    require(len(message) <= MAX_SIGNED, 0, "TOO_LARGE")
    require(len(message) not in (0, 32) and is_text(message), 0)


def is_text(value):
    return all(byte == 10 or 0x20 <= byte <= 0x7E for byte in value)


def decimal(atoms, places):
    whole, rest = divmod(atoms, 10**places)
    return f"{whole}.{rest:0{places}}".rstrip("0").rstrip(".") if places else str(whole)


def coins(atoms):
    return decimal(atoms, 8) + " ZBC"


def time(seconds):
    if seconds > LAST_SECOND:
        return f"{seconds} (Unix seconds)"
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S UTC")


def account(of):
    kind, payload = of
    return address(payload) if kind == ZBC else f"{KINDS[kind][0]} {payload.hex()}"


def text(title, value, details):
    """Returns the review items of a byte string, which may be empty."""
    if is_text(value):
        return [[title, value.decode()]] if value else []
    digits = sha3(value).hex()
    whole = [[f"{title} hash", digits]] if details else []
    return [[title, f"{len(value)} bytes (binary) {digits[:8]}"]] + whole


def escrow_items(escrow, details, total=None):
    items = [["Escrow commission", coins(escrow["commission"])]]
    if details and total is not None:
        items += [["Total with commission", coins(total + escrow["commission"])]]
    items += [["Escrow timeout", time(escrow["timeout"])]]
    items += text("Escrow instruction", escrow["text"], details)
    return items + ([["Escrow multi-party", "Yes"]] if escrow["flag"] else [])


def reported(tx, token):
    decimals, symbol = token.get("decimals"), token.get("symbol", "")
    amount = f"{tx['amount']} atomic units" if decimals is None else decimal(tx["amount"], decimals)
    return f"{amount} {symbol}".rstrip()


def review(tx, genesis, networks, account_index, token=None, details=False):
    """The items of a transaction that was parsed."""
    name = networks.get(genesis)
    items = [["Network", name or f"UNKNOWN CHAIN {genesis.hex()[:8]}"]]
    if details and not name:
        items += [["Chain hash", genesis.hex()]]
    items += [["Type", TYPES[tx["type"]]]]
    if details:
        items += [["Account index", str(account_index)], ["From", account(tx["sender"])]]
        items += [["Timestamp", time(tx["timestamp"])]]
    if tx["type"] == APPROVAL:
        return items + text("Message", tx["message"], details) + decision_items(tx, details)
    total = None
    if tx["type"] == SEND:
        total = tx["amount"] + tx["fee"]
        items += [["Amount", coins(tx["amount"])]]
    items += [["Recipient", account(tx["recipient"])], ["Fee", coins(tx["fee"])]]
    if tx["type"] == SEND:
        items += [["Total leaving", coins(total)]]
    items += text("Message", tx["message"], details)
    if tx["escrow"]:
        items += [["Escrow approver", account(tx["escrow"]["approver"])]]
        items += escrow_items(tx["escrow"], details, total)
    if tx["type"] == TOKEN:
        items += [["Token", str(tx["token"])], ["Token amount", f"{tx['amount']} atomic units"]]
        if token:
            items += [["As reported by the app", reported(tx, token)]]
        if tx["fee in token"] is not None:
            items += [["Fee in token", "Yes" if tx["fee in token"] else "No"]]
    return items


def decision_items(tx, details):
    linked = tx["linked"]
    items = [["Escrow decision", "REJECT" if tx["decision"] else "APPROVE"]]
    if details:
        items += [["Escrow transaction", tx["hash"].hex()]]
    items += [["Escrow type", TYPES[linked["type"]]]]
    if details:
        items += [["Escrow timestamp", time(linked["timestamp"])], ["Escrow fee", coins(linked["fee"])]]
    if linked["type"] == SEND:
        items += [["Escrow amount", coins(linked["amount"])]]
    else:
        items += [["Escrow token", str(linked["token"])]]
        items += [["Escrow token amount", f"{linked['amount']} atomic units"]]
    items += [["Escrow sender", account(linked["sender"])], ["Escrow recipient", account(linked["recipient"])]]
    items += escrow_items(linked["escrow"], details) + text("Escrow message", linked["message"], details)
    return items + [["Fee", coins(tx["fee"])]]
