"""Writes details.json: pairs of transactions that the default screens show alike, and the review of the first
with details shown. Written from docs/TRANSACTION.md; Python's standard library alone."""
import datetime, hashlib, json, pathlib, struct

HERE = pathlib.Path(__file__).parent
SECONDS, FEE, COIN = 1767225600, 2_500_000, 10**8
OWN = bytes.fromhex(json.loads((HERE / "accounts.json").read_text())["cases"][0]["public_key"])
SENDER, RECIPIENT = bytes(range(32)), bytes(range(32, 64))
CHAIN = hashlib.sha256(b"a chain").digest()


def sha3(*parts):
    return hashlib.sha3_256(b"".join(parts)).digest()


def address(key):
    value = int.from_bytes(key + sha3(key, b"ZBC")[:3], "big")
    digits = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value >> 5 * i & 31] for i in reversed(range(56))]
    return "_".join(["ZBC"] + ["".join(digits[i : i + 8]) for i in range(0, 56, 8)])


def coins(atoms):
    whole, rest = divmod(atoms, COIN)
    return f"{whole}.{rest:08}".rstrip("0").rstrip(".") + " ZBC"


def time(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")


def binary(title, value):
    """The items of bytes that are not text."""
    digits = sha3(value).hex()
    return [[title, f"{len(value)} bytes (binary) {digits[:8]}"], [f"{title} hash", digits]]


def counted(value):
    return struct.pack("<I", len(value)) + value


def wire(kind, sender, recipient, body, escrow=b"\2\0\0\0", message=b"", seconds=SECONDS, fee=FEE):
    head = struct.pack("<IBQI", kind, 1, seconds, 0) + sender
    return head + recipient + struct.pack("<Q", fee) + counted(body) + escrow + counted(message)


def escrow_block(approver, instruction, flag):
    return bytes(4) + approver + struct.pack("<QQ", COIN, SECONDS + 86400) + counted(instruction) + flag


def account(key):
    return bytes(4) + key


def case(name, first, second):
    """Each a genesis hash, a transaction, what is linked to it, and the items behind those of the chain."""
    names = ("genesis", "tx", "linked")
    pair = [{name: each.hex() for name, each in zip(names, item)} for item in (first, second)]
    review = [["Network", f"UNKNOWN CHAIN {first[0].hex()[:8]}"], ["Chain hash", first[0].hex()]] + first[3]
    return {"name": name, "account": 0, **pair[0], "alike": pair[1], "expect": {"review": review}}


def own(name):
    return [["Type", name], ["Account index", "0"], ["From", address(OWN)], ["Timestamp", time(SECONDS)]]


def send(genesis=CHAIN, message=b"", instruction=b""):
    review = own("Send ZBC") + [["Amount", "1 ZBC"], ["Recipient", address(RECIPIENT)], ["Fee", coins(FEE)]]
    review += [["Total leaving", coins(COIN + FEE)]] + (binary("Message", message) if message else [])
    escrow = b"\2\0\0\0"
    if instruction:
        escrow = escrow_block(SENDER, instruction, b"\0")
        review += [["Escrow approver", address(SENDER)], ["Escrow commission", "1 ZBC"]]
        review += [["Total with commission", coins(2 * COIN + FEE)], ["Escrow timeout", time(SECONDS + 86400)]]
        review += binary("Escrow instruction", instruction)
    tx = wire(1, OWN, account(RECIPIENT), struct.pack("<Q", COIN), escrow, message)
    return genesis, tx, b"", review


def approve(instruction=b"\xff", message=b"\xfe", seconds=SECONDS - 60, fee=FEE + 1, signature=bytes(64)):
    body = struct.pack("<qqB", -7, 500, 1)
    block = escrow_block(OWN, instruction, b"\1")
    linked = wire(11, SENDER, account(RECIPIENT), body, block, message, seconds, fee) + signature
    tx = wire(4, OWN, b"\2\0\0\0", bytes(4) + sha3(linked), message=b"\xfd")
    review = own("Approve escrow") + binary("Message", b"\xfd")
    review += [["Escrow decision", "APPROVE"], ["Escrow type", "Send token"], ["Escrow token", "-7"]]
    review += [["Escrow token amount", "500 atomic units"], ["Escrow sender", address(SENDER)]]
    review += [["Escrow recipient", address(RECIPIENT)], ["Escrow commission", "1 ZBC"]]
    review += [["Escrow timeout", time(SECONDS + 86400)]] + binary("Escrow instruction", instruction)
    review += [["Escrow multi-party", "Yes"]] + binary("Escrow message", message)
    review += [["Escrow timestamp", time(seconds)], ["Escrow fee", coins(fee)]]
    return CHAIN, tx, linked, review + [["Escrow transaction", sha3(linked).hex()], ["Fee", coins(FEE)]]


def alike():
    """Two values of 8 bytes, no text, whose SHA3-256 begin with the same 8 digits: about 2^16 hashes."""
    seen = {}
    for i in range(2**32):
        value = struct.pack("<Q", i)
        other = seen.setdefault(sha3(value)[:4], value)
        if other != value:
            return other, value


first, second = alike()
cases = [
    case("two chains", send(), send(CHAIN[:4] + bytes(28))),
    case("two binary messages", send(message=first), send(message=second)),
    case("two binary escrow instructions", send(instruction=first), send(instruction=second)),
    case("two linked instructions", approve(instruction=first), approve(instruction=second)),
    case("two linked messages", approve(message=first), approve(message=second)),
    case("two linked timestamps", approve(), approve(seconds=SECONDS - 61)),
    case("two linked fees", approve(), approve(fee=FEE)),
    case("two linked signatures", approve(), approve(signature=bytes(63) + b"\1")),
]
lines = ",\n".join(json.dumps(each) for each in cases)
(HERE / "details.json").write_text(f'{{"cases": [\n{lines}\n]}}\n')
