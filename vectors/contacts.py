"""Computes what a signer replies to commands with contacts, and the reviews that it shows. Written from
docs/APDU.md#register_contact, docs/APDU.md#contacts-in-sign_tx and docs/SPECIFICATION.md#refusals."""
import hmac, struct
from keys import account_key, bip39, public_key, sha3, sign
from transactions import APPROVAL, KINDS, NONE, TOKEN, ZBC, Refusal, account, parse, review

OK, MALFORMED, USER_REJECTED, WRONG_P1P2 = "9000", "6a80", "6985", "6a86"
STATUS = {
    "MALFORMED": MALFORMED, "SENDER_MISMATCH": "b101", "UNSUPPORTED_TYPE": "b102", "TOO_LARGE": "b103",
    "ESCROW_HASH_MISMATCH": "b104",
}  # fmt: skip
HEADER_LENGTH, TOKEN_DECIMALS, TOKEN_SYMBOL, TOKEN_TAIL_UNEXPECTED, UNKNOWN_CHAIN, ACCOUNT_KIND = 1, 6, 7, 8, 10, 17
CONTACT_NAME, CONTACT_PROOF, CONTACT_UNEXPECTED, CONTACT_REQUIRED = 39, 40, 41, 42
NAME, PROOF, COMMITMENT, RECIPIENT, APPROVER, LINKED = 24, 32, 32, 5, 9, 12
RECIPIENT_AT, HEADER = 49, 44


class Refused(Exception):
    """A refusal; its argument is the reply in hex."""


def require(condition, *refusal):
    if not condition:
        raise Refused(refused(*refusal))


def refused(reason, offset, status=MALFORMED, field=0):
    return struct.pack("<BHB", field, offset, reason).hex() + status


def contact_key(seed):
    node = hmac.digest(b"Symmetric key seed", seed, "sha512")
    for label in (b"ZBC signer", b"contacts"):
        node = hmac.digest(node[:32], b"\0" + label, "sha512")
    return node[32:]


def is_name(padded):
    name = padded.rstrip(b"\0")
    is_text = name != b"" and all(0x20 <= byte <= 0x7E for byte in name)
    return is_text and name == name.strip(b" ") and b"  " not in name and not name.upper().startswith(b"ZBC_")


def wire(of):
    return struct.pack("<I", of[0]) + of[1]


class Signer:
    """A signer with these settings. A review in progress is no state: each answer has the review and the reply."""

    def __init__(self, seed, networks, settings):
        self.seed, self.networks, self.settings = seed, networks, settings
        self.header, self.upload = None, b""

    def proof(self, data):
        return hmac.digest(contact_key(self.seed), b"ZBC-CONTACT\1" + data, "sha512")[:PROOF]

    def answer(self, command, decision, written):
        """Returns the reply, and the review if there is one. Offset and reason of a fault in the transaction itself
        are not computed: they are those of `written`."""
        ins, p1, p2, data = command[1], command[2], command[3], command[5:]
        if p1 > 1 or p2 > (7 if ins == 6 and p1 == 0 else 0):
            return WRONG_P1P2, None
        if ins == 8:
            run = (lambda: self.register(data, decision)) if p1 == 0 else (lambda: self.check(data))
        else:
            run = (lambda: self.begin(data, p2)) if p1 == 0 else (lambda: self.take(data, decision))
        return self.replied(run, written)

    @staticmethod
    def replied(run, written):
        try:
            return run()
        except Refused as refusal:
            return refusal.args[0], None
        except Refusal as refusal:
            name, field = refusal.args
            return f"{field:02x}{written[2:8]}{STATUS[name]}", None

    def require_known(self, genesis, offset):
        is_allowed = "unknownChains" not in self.settings or genesis in self.networks
        require(is_allowed, UNKNOWN_CHAIN, offset, USER_REJECTED)

    def read(self, data, behind):
        """Reads genesis hash, name and account, with `behind` bytes after them. Returns where the account ends."""
        require(len(data) >= 60, HEADER_LENGTH, 0)
        require(is_name(data[32:56]), CONTACT_NAME, 32)
        (kind,) = struct.unpack("<I", data[56:60])
        require(kind != NONE and kind < len(KINDS), ACCOUNT_KIND, 56)
        end = 60 + KINDS[kind][1]
        require(len(data) == end + behind, HEADER_LENGTH, 0)
        self.require_known(data[:32], 0)
        return end

    def check(self, data):
        end = self.read(data, PROOF)
        require(self.proof(data[:end]) == data[end:], CONTACT_PROOF, end)
        return OK, None

    def register(self, data, decision):
        self.read(data, 0)
        genesis, name = data[:32], data[32:56].rstrip(b"\0").decode()
        network = self.networks.get(genesis)
        items = [["New contact", name], ["Network", network or f"UNKNOWN CHAIN {genesis.hex()[:8]}"]]
        if "details" in self.settings and not network:
            items += [["Chain hash", genesis.hex()]]
        items += [["Address", account((data[56], data[60:]))]]
        return self.proof(data).hex() + OK if decision == "approve" else USER_REJECTED, items

    def begin(self, data, options):
        """Answers the header of SIGN_TX. Lengths and account index are those of an accepted header."""
        has = [bool(options & bit) for bit in (1, 2)]
        end = HEADER + sum(has) * (NAME + PROOF) + (COMMITMENT if options & 4 else 0)
        require(len(data) == end or len(data) >= end + 2, HEADER_LENGTH, 0)
        contacts, at = [], HEADER
        for is_there in has:
            contacts += [(data[at : at + NAME], data[at + NAME : at + NAME + PROOF]) if is_there else None]
            if is_there:
                require(is_name(contacts[-1][0]), CONTACT_NAME, at)
                at += NAME + PROOF
        self.commitment = data[at:end]
        index, genesis, length, linked_length = struct.unpack("<I32sII", data[:HEADER])
        token = self.read_tail(data[end:], end) if len(data) > end else None
        self.require_known(genesis, 4)
        self.header, self.upload = (index, genesis, length, linked_length, contacts, token, end), b""
        return OK, None

    @staticmethod
    def read_tail(tail, at):
        require(tail[0] <= 8 or tail[0] == 255, TOKEN_DECIMALS, at)
        require(tail[1] <= 12, TOKEN_SYMBOL, at + 1)
        require(tail[1] == len(tail) - 2, HEADER_LENGTH, at + 1)
        for i, byte in enumerate(tail[2:]):
            require(0x21 <= byte <= 0x7E, TOKEN_SYMBOL, at + 2 + i)
        return {"symbol": tail[2:].decode(), **({} if tail[0] == 255 else {"decimals": tail[0]})}

    def take(self, data, decision):
        index, genesis, length, linked_length, contacts, token, end = self.header
        self.upload += data
        if len(self.upload) < length + linked_length:
            return OK, None
        tx, linked = self.upload[:length], self.upload[length:]
        require(token is None or tx[:4] == struct.pack("<I", TOKEN), TOKEN_TAIL_UNEXPECTED, end)
        key = account_key(self.seed, index)
        own = public_key(key)
        parsed = parse(tx, own, linked)
        named = self.named(parsed, genesis, contacts, own, end)
        items = []
        for title, value in review(parsed, genesis, self.networks, index, token, "details" in self.settings):
            items += named.get(title, []) + [[title, value]]
        if decision != "approve":
            return USER_REJECTED, items
        return self.approved(key, sha3(b"ZBC-TX", genesis, tx), tx), items

    def approved(self, key, message, tx=None):
        return self.result(sign(key, message), tx)

    @staticmethod
    def result(signature, tx):
        """Returns the reply with a signature: of a message, or of a transaction."""
        return signature.hex() + (b"" if tx is None else sha3(tx, signature)).hex() + OK

    def named(self, tx, genesis, contacts, own, end):
        """Returns the items of the contacts, by the title of the item that follows."""
        is_approval = tx["type"] == APPROVAL
        recipient = (tx["linked"] if is_approval else tx)["recipient"]
        items = {}

        def judge(of, contact, title, before, *place):
            if contact:
                is_right = self.proof(genesis + contact[0] + wire(of)) == contact[1]
                require(is_right, CONTACT_PROOF, place[1], MALFORMED, place[0])
                items[before] = [[title, contact[0].rstrip(b"\0").decode()]]
            elif "contactsOnly" in self.settings and not is_approval:
                require(of == (ZBC, own), CONTACT_REQUIRED, place[1], USER_REJECTED, place[0])

        if is_approval:
            judge(recipient, contacts[0], "Recipient contact", "Escrow recipient", LINKED, RECIPIENT_AT)
        else:
            judge(recipient, contacts[0], "Recipient contact", "Recipient", RECIPIENT, RECIPIENT_AT)
        escrow = tx["escrow"]
        if escrow:
            body = 8 if tx["type"] != TOKEN else 16 if tx["fee in token"] is None else 17
            at = RECIPIENT_AT + 4 + len(recipient[1]) + 8 + 4 + body
            judge(escrow["approver"], contacts[1], "Approver contact", "Escrow approver", APPROVER, at)
        else:
            require(not contacts[1], CONTACT_UNEXPECTED, HEADER + (NAME + PROOF if contacts[0] else 0))
        return items


def answered(signer, step):
    reply, items = signer.answer(bytes.fromhex(step["command"]), step.get("decide"), step["reply"])
    decided = {"review": items, "decide": step["decide"]} if items else {}
    return {"command": step["command"], "reply": reply, **decided}


def made(file, networks):
    def case(each):
        signer = Signer(bip39(file["mnemonic"]), networks, each.get("settings", {}))
        others = {name: value for name, value in each.items() if name != "steps"}
        return {**others, "steps": [answered(signer, step) for step in each["steps"]]}

    keys = [{"seed": each["seed"], "key": contact_key(bytes.fromhex(each["seed"])).hex()} for each in file["keys"]]
    return {"mnemonic": file["mnemonic"], "keys": keys, "cases": [case(each) for each in file["cases"]]}
