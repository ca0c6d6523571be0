"""Computes the results of a keystore for rolls of a die, flips of a coin, words and noise. Written from
docs/KEYSTORE.md, docs/SEEDS.md and docs/SPECIFICATION.md#gates."""
import hashlib, hmac, pathlib, re
from keys import bip39

LIST = pathlib.Path(__file__).parent.parent / "node_modules/@scure/bip39/wordlists/english.js"
#: SHA-256 of the list as published in the repository bitcoin/bips, with one word per line.
LIST_DIGEST = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
LEFT, RIGHT, BOTH = "123"
MOST = {("dice", 12): 21, ("dice", 24): 35, ("coins", 12): 89, ("coins", 24): 164}
LAST_PERIOD, WORD_PRESSES = 6, 7


def read_words():
    words = re.search(r"`([a-z\n]+)`", LIST.read_text()).group(1).split()
    if hashlib.sha256(("\n".join(words) + "\n").encode()).hexdigest() != LIST_DIGEST:
        raise ValueError(f"{LIST} is not the list of BIP-39")
    return words


WORDS = read_words()


def refusal(kind, words, record):
    """Returns why a record of rolls or flips is refused as not random, or None."""
    count = max(map(record.count, record))
    if count > MOST[kind, words]:
        return f"{count} of {len(record)} are equal"
    period = next((n for n in range(1, LAST_PERIOD + 1) if record[n:] == record[:-n]), None)
    return period and f"It repeats after {period}"


def presses_of_record(kind, record):
    if kind == "coins":
        return record.translate({ord("1"): LEFT, ord("0"): RIGHT})
    return "".join((LEFT, BOTH, RIGHT)[(int(roll) - 1) // 2] + (LEFT, RIGHT)[(int(roll) - 1) % 2] for roll in record)


def presses_of_word(index):
    """Returns the presses that select a word. Each press keeps a third of the remaining words. If only two words
    remain, the left press keeps one and the right press the other."""
    low, count, presses = 0, len(WORDS), ""
    for _ in range(WORD_PRESSES):
        sizes = (1, 0, 1) if count == 2 else [(count + 2 - i) // 3 for i in range(3)]
        for key, size in zip((LEFT, BOTH, RIGHT), sizes):
            if index < low + size:
                break
            low += size
        presses, count = presses + key, size
    return presses


def mnemonic(entropy):
    bits = "".join(f"{byte:08b}" for byte in entropy + hashlib.sha256(entropy).digest()[:1])
    return [WORDS[int(bits[i : i + 11], 2)] for i in range(0, len(entropy) * 8, 11)]


def last_words(first):
    """Returns all last words whose checksum is correct after the given first words."""
    bits = "".join(f"{WORDS.index(word):011b}" for word in first)
    checksum = (len(first) + 1) // 3
    rest = 11 - checksum
    size = (len(bits) + rest) // 8
    return [mnemonic(int(bits + f"{i:0{rest}b}", 2).to_bytes(size, "big"))[-1] for i in range(2**rest)]


def checked_by(entropy, words):
    """Returns, for each word of the seed, the three words that the question about this word offers."""
    asked = []
    for i, word in enumerate(words):
        digest = hmac.digest(entropy, b"ZBC-CHECK" + bytes([i]), "sha256")
        others = sorted(set(words) - {word}, key=WORDS.index)
        pair = [others.pop(int.from_bytes(digest[at : at + 4], "big") % len(others)) for at in (0, 4)]
        pair.insert(digest[8] % 3, word)
        asked.append(pair)
    return asked


def restored(mnemonic, passphrase=""):
    secret = bip39(mnemonic, passphrase)
    return {"seed": secret.hex(), "fingerprint": hashlib.sha256(b"ZBC-SEED-FINGERPRINT" + secret).hexdigest()[:8]}


def seed(kind, words, raw, record, passphrase):
    """Computes everything that follows from a record, and from `raw`, the device's noise, if there is any."""
    part = hashlib.sha256(bytes.fromhex(raw)).hexdigest() if raw else ""
    entropy = hashlib.sha256((part + record).encode()).digest()[: words * 4 // 3]
    chosen = mnemonic(entropy)
    return {
        "kind": kind, "words": words, "raw": raw, "devicePart": part, "record": record,
        "presses": presses_of_record(kind, record), "entropy": entropy.hex(), "mnemonic": " ".join(chosen),
        "checkedBy": checked_by(entropy, chosen), "passphrase": passphrase,
        **restored(" ".join(chosen), passphrase),
    }  # fmt: skip
