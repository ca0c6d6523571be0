"""Computes what a signer replies to commands with a commitment, and the reviews that it shows. Written from
docs/APDU.md#signatures-without-hidden-data and docs/SPECIFICATION.md#refusals."""
import struct
import contacts
from contacts import HEADER_LENGTH, OK, USER_REJECTED, WRONG_P1P2, Refused, require
from keys import account_key, address, bip39, expand, public_key, reduced, sha3, sign, times
from transactions import accept_message

TAG = b"\xffZBC-ANTI-EXFIL"
SIGN_TX, SIGN_MESSAGE, HEADER, DATA, REVEAL, COMMITMENT = 6, 7, 0, 1, 2, 4
REVEAL_MISMATCH, BAD_STATE, WRONG_LENGTH = 43, "6902", "6700"


def own_nonce(key, commitment, message):
    return reduced(expand(key)[1], TAG, b"\0", commitment, message)


def tweak(point, revealed):
    return reduced(TAG, b"\1", point, revealed)


def sign_with(key, message, revealed):
    own = own_nonce(key, sha3(revealed), message)
    return sign(key, message, own + tweak(times(own), revealed))


class Signer(contacts.Signer):
    """A signer whose approved bytes may wait for REVEAL: its instruction, and what `approved` was given."""

    commitment, waiting, message_header = b"", None, None

    def answer(self, command, decision, written):
        ins, p1, p2 = command[1:4]
        waiting, self.waiting = self.waiting, None
        if p1 != DATA:
            self.header = self.message_header = None
        options = {SIGN_TX: 7, SIGN_MESSAGE: COMMITMENT}.get(ins, 0) if p1 == HEADER else 0
        if p1 > (REVEAL if ins in (SIGN_TX, SIGN_MESSAGE) else DATA) or p2 & ~options:
            return WRONG_P1P2, None
        if p1 == REVEAL:
            return self.replied(lambda: self.reveal(ins, command[5:], waiting), written)
        if p1 == DATA and not (self.message_header if ins == SIGN_MESSAGE else self.header):
            return BAD_STATE, None
        if ins == SIGN_MESSAGE:
            answer = self.begin_message if p1 == HEADER else self.take_message
            return self.replied(lambda: answer(command[5:], p2 if p1 == HEADER else decision), written)
        return super().answer(command, decision, written)

    def begin_message(self, data, options):
        require(len(data) == (40 if options else 8), HEADER_LENGTH, 0)
        self.message_header, self.upload = struct.unpack("<II", data[:8]), b""
        self.commitment = data[8:]
        return OK, None

    def take_message(self, data, decision):
        index, length = self.message_header
        self.upload += data
        if len(self.upload) < length:
            return OK, None
        self.message_header = None
        accept_message(self.upload)
        key = account_key(self.seed, index)
        items = [["Account", address(public_key(key))], ["Message", self.upload.decode()]]
        return self.approved(key, self.upload) if decision == "approve" else USER_REJECTED, items

    def approved(self, key, message, tx=None):
        self.header = None
        if not self.commitment:
            return super().approved(key, message, tx)
        self.waiting = key, message, tx
        return times(own_nonce(key, self.commitment, message)).hex() + OK

    def reveal(self, ins, revealed, waiting):
        if not waiting or (ins == SIGN_TX) != (waiting[2] is not None):
            raise Refused(BAD_STATE)
        if len(revealed) != 32:
            raise Refused(WRONG_LENGTH)
        key, message, tx = waiting
        require(sha3(revealed) == self.commitment, REVEAL_MISMATCH, 0)
        return self.result(sign_with(key, message, revealed), tx), None


def values(seed, case):
    """Returns what the signature of a case is made of: `account`, `n` and `message` are inputs."""
    key, n, message = account_key(seed, case["account"]), bytes.fromhex(case["n"]), bytes.fromhex(case["message"])
    point = times(own_nonce(key, sha3(n), message))
    return {
        "account": case["account"],
        "n": case["n"],
        "commitment": sha3(n).hex(),
        "message": case["message"],
        "nonce_point": point.hex(),
        "tweak": tweak(point, n).to_bytes(32, "little").hex(),
        "signature": sign_with(key, message, n).hex(),
    }


def made(file, networks):
    seed = bip39(file["mnemonic"])

    def case(each):
        signer = Signer(seed, networks, {})
        steps = [contacts.answered(signer, step) for step in each["steps"]]
        computed = {"values": values(seed, each["values"])} if "values" in each else {}
        return {**each, "steps": steps, **computed}

    return {"mnemonic": file["mnemonic"], "cases": [case(each) for each in file["cases"]]}
