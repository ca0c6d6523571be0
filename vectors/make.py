"""Computes the vectors and writes their files. The inputs are read from these files. With --check, the files are only
compared. With --cases, cases in the form of transactions.json are read from the standard input and written with
their expected values to the standard output. This program was written only from docs/, with Python's standard library: it shares nothing with the code
under test."""
import json, pathlib, re, sys
import anti_exfil, contacts, details, keystore
from keys import account_key, address, bip39, public_key, sha3, sign, slip10
from transactions import Refusal, accept, accept_message, review

HERE = pathlib.Path(__file__).parent
NETWORKS = {
    bytes.fromhex(each["genesis_hash"]): each["name"]
    for each in json.loads((HERE.parent / "firmware/networks.json").read_text())
}


def hexes(case, *names):
    return [bytes.fromhex(case.get(name, "")) for name in names]


def inputs(case, *names):
    return {name: case[name] for name in names if name in case}


def expect(run):
    """Returns the values that the signer returns, or the refusal."""
    try:
        return run()
    except Refusal as refusal:
        name, field = refusal.args
        return {"refusal": name, "field": field}


def transaction(seed, case):
    key = account_key(seed, case["account"])
    genesis, tx, linked = hexes(case, "genesis", "tx", "linked")

    def run():
        parsed = accept(tx, public_key(key), linked, case.get("token"))
        signature = sign(key, sha3(b"ZBC-TX", genesis, tx))
        items, details = (
            review(parsed, genesis, NETWORKS, case["account"], case.get("token"), details) for details in (False, True)
        )
        hashes = {"signature": signature.hex(), "tx_hash": sha3(tx, signature).hex()}
        return {"review": items, "details": details, **hashes}

    return {**inputs(case, "name", "account", "genesis", "tx", "linked", "token"), "expect": expect(run)}


def message(seed, case):
    key = account_key(seed, case["account"])
    (content,) = hexes(case, "message")

    def run():
        accept_message(content)
        items = [["Account", address(public_key(key))], ["Message", content.decode()]]
        return {"review": items, "signature": sign(key, content).hex()}

    return {**inputs(case, "account", "message"), "expect": expect(run)}


def account(mnemonic, case):
    key = public_key(account_key(bip39(mnemonic, case["passphrase"]), case["account"]))
    return {**inputs(case, "passphrase", "account"), "public_key": key.hex(), "address": address(key)}


def signature(case):
    key, content = hexes(case, "key", "message")
    made = {"public_key": public_key(key).hex(), "message": case["message"], "signature": sign(key, content).hex()}
    return {**inputs(case, "name", "key"), **made}


def nodes(case):
    def node(path):
        key, chain_code = slip10(bytes.fromhex(case["seed"]), path)
        return {"path": path, "chain_code": chain_code.hex(), "key": key.hex(), "public_key": public_key(key).hex()}

    return {**inputs(case, "name", "seed"), "nodes": [node(each["path"]) for each in case["nodes"]]}


def seeds(file):
    refused = [
        {**each, "reason": keystore.refusal(each["kind"], each["words"], each["record"])} for each in file["refused"]
    ]
    words = [{"word": each["word"], "index": keystore.WORDS.index(each["word"])} for each in file["words"]]
    return {
        "about": file["about"],
        "seeds": [
            keystore.seed(*(each[name] for name in ("kind", "words", "raw", "record", "passphrase")))
            for each in file["seeds"]
        ],
        "refused": refused,
        "words": [{**each, "presses": keystore.presses_of_word(each["index"])} for each in words],
        "lastWords": [
            {"first": each["first"], "candidates": keystore.last_words(each["first"].split())}
            for each in file["lastWords"]
        ],
        "phrases": [{"mnemonic": each["mnemonic"], **keystore.restored(each["mnemonic"])} for each in file["phrases"]],
    }


def of_mnemonic(make):
    """Returns a function that makes a file whose cases use the seed of the file's mnemonic."""

    def made(file):
        seed = bip39(file["mnemonic"])
        return {"mnemonic": file["mnemonic"], "cases": [make(seed, each) for each in file["cases"]]}

    return made


FILES = {
    "accounts": lambda file: {**file, "cases": [account(file["mnemonic"], each) for each in file["cases"]]},
    "anti-exfil": lambda file: anti_exfil.made(file, NETWORKS),
    "contacts": lambda file: contacts.made(file, NETWORKS),
    "ed25519": lambda file: {**file, "cases": [signature(each) for each in file["cases"]]},
    "keystore": seeds,
    "messages": of_mnemonic(message),
    "refusals": of_mnemonic(transaction),
    "slip-0010": lambda file: {**file, "cases": [nodes(each) for each in file["cases"]]},
    "transactions": of_mnemonic(transaction),
}


def make(name, written):
    if name == "details":
        return details.text(NETWORKS)
    made = json.dumps(FILES[name](json.loads(written)), indent=1, ensure_ascii=False) + "\n"
    return re.sub(r'\[\n *(".*"),\n *(".*")\n *\]', r"[\1, \2]", made)  # A review item takes one line.


def main(is_check):
    different = []
    for path in sorted(HERE.glob("*.json")):
        written = path.read_text()
        made = make(path.stem, written)
        if made != written:
            different.append(path.name)
        if not is_check:
            path.write_text(made)
    print("".join(f"{name} did not match its inputs\n" for name in different), end="")
    return is_check and bool(different)


if __name__ == "__main__":
    if sys.argv[1:] == ["--cases"]:
        sys.exit(print(make("transactions", sys.stdin.read())))
    sys.exit(main(sys.argv[1:] == ["--check"]))
