/** Envelopes that the server between the two pages cannot read. */

const encoder = new TextEncoder();
const NONCE_BYTES = 12;

export function randomKey() {
  return toText(crypto.getRandomValues(new Uint8Array(32)));
}

function toText(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

function toBytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function derivation(label) {
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: encoder.encode(label) };
}

/** The two mailboxes and the envelope key of a link. */
export async function secretsOf(key) {
  const root = await crypto.subtle.importKey("raw", toBytes(key), "HKDF", false, ["deriveBits", "deriveKey"]);
  const mailbox = async (label) => {
    const bits = new Uint8Array(await crypto.subtle.deriveBits(derivation(label), root, 256));
    return Array.from(bits, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const aes = { name: "AES-GCM", length: 256 };
  return {
    host: await mailbox("mailbox of the host"),
    guest: await mailbox("mailbox of the guest"),
    key: await crypto.subtle.deriveKey(derivation("envelopes"), root, aes, false, ["encrypt", "decrypt"]),
  };
}

/** Nonce and ciphertext; the mailbox is authenticated with it. */
export async function seal(key, mailbox, message) {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const parameters = { name: "AES-GCM", iv, additionalData: encoder.encode(mailbox) };
  const sealed = await crypto.subtle.encrypt(parameters, key, encoder.encode(JSON.stringify(message)));
  return new Blob([iv, sealed]);
}

/** Throws when the envelope was changed, or was sealed for another mailbox. */
export async function open(key, mailbox, envelope) {
  const bytes = new Uint8Array(envelope);
  const parameters = {
    name: "AES-GCM",
    iv: bytes.slice(0, NONCE_BYTES),
    additionalData: encoder.encode(mailbox),
  };
  const plain = await crypto.subtle.decrypt(parameters, key, bytes.slice(NONCE_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}
