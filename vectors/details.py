"""Makes the cases of details.json: pairs of transactions that have the same screens by default, and for each pair
the review of the first transaction with details shown."""
import hashlib, json, struct
from keys import account_key, bip39, public_key, sha3
from transactions import accept, review

SECONDS, FEE, COIN = 1767225600, 2_500_000, 10**8
MNEMONIC = "abandon " * 11 + "about"
OWN = public_key(account_key(bip39(MNEMONIC), 0))
SENDER, RECIPIENT = bytes(range(32)), bytes(range(32, 64))
CHAIN = hashlib.sha256(b"a chain").digest()


def counted(value):
    return struct.pack("<I", len(value)) + value


def wire(kind, sender, recipient, body, escrow=b"\2\0\0\0", message=b"", seconds=SECONDS, fee=FEE):
    head = struct.pack("<IBQI", kind, 1, seconds, 0) + sender
    return head + recipient + struct.pack("<Q", fee) + counted(body) + escrow + counted(message)


def escrow_block(approver, instruction, flag):
    return bytes(4) + approver + struct.pack("<QQ", COIN, SECONDS + 86400) + counted(instruction) + flag


def account(key):
    return bytes(4) + key


def case(networks, name, first, second):
    """`first` and `second` each consist of a genesis hash, a transaction and its linked transaction."""
    names = ("genesis", "tx", "linked")
    pair = [{name: each.hex() for name, each in zip(names, item)} for item in (first, second)]
    genesis, tx, linked = first
    items = review(accept(tx, OWN, linked), genesis, networks, 0, details=True)
    return {"name": name, "account": 0, **pair[0], "alike": pair[1], "expect": {"review": items}}


def send(genesis=CHAIN, message=b"", instruction=b""):
    escrow = escrow_block(SENDER, instruction, b"\0") if instruction else b"\2\0\0\0"
    return genesis, wire(1, OWN, account(RECIPIENT), struct.pack("<Q", COIN), escrow, message), b""


def approve(instruction=b"\xff", message=b"\xfe", seconds=SECONDS - 60, fee=FEE + 1, signature=bytes(64)):
    body = struct.pack("<qqB", -7, 500, 1)
    block = escrow_block(OWN, instruction, b"\1")
    linked = wire(11, SENDER, account(RECIPIENT), body, block, message, seconds, fee) + signature
    return CHAIN, wire(4, OWN, b"\2\0\0\0", bytes(4) + sha3(linked), message=b"\xfd"), linked


def alike():
    """Finds two values of 8 bytes that are not text and whose SHA3-256 begin with the same 8 hex digits. This takes
    about 2^16 hashes."""
    seen = {}
    for i in range(2**32):
        value = struct.pack("<Q", i)
        other = seen.setdefault(sha3(value)[:4], value)
        if other != value:
            return other, value


def text(networks):
    first, second = alike()
    cases = [
        case(networks, "two chains", send(), send(CHAIN[:4] + bytes(28))),
        case(networks, "two binary messages", send(message=first), send(message=second)),
        case(networks, "two binary escrow instructions", send(instruction=first), send(instruction=second)),
        case(networks, "two linked instructions", approve(instruction=first), approve(instruction=second)),
        case(networks, "two linked messages", approve(message=first), approve(message=second)),
        case(networks, "two linked timestamps", approve(), approve(seconds=SECONDS - 61)),
        case(networks, "two linked fees", approve(), approve(fee=FEE)),
        case(networks, "two linked signatures", approve(), approve(signature=bytes(63) + b"\1")),
    ]
    lines = ",\n".join(json.dumps(each) for each in cases)
    return f'{{"cases": [\n{lines}\n]}}\n'
