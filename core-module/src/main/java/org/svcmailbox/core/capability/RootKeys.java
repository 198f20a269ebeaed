package org.svcmailbox.core.capability;

import java.util.Map;
import java.util.Optional;

/**
 * The root keys that are good, by their ids. New capabilities are minted with the current one; the
 * others stay, so that what was minted with them goes on until it ends or its key is revoked.
 * Immutable: a rotation makes another.
 */
final class RootKeys {
  private static final String LOCATION = "mailbox";

  private final Map<String, RootKey> keys;
  private final String current;

  /**
   * @param current the id of the key to mint with; one of {@code keys}
   */
  RootKeys(Map<String, RootKey> keys, String current) {
    if (!keys.containsKey(current)) {
      throw new IllegalArgumentException("there is no root key " + current);
    }
    this.keys = Map.copyOf(keys);
    this.current = current;
  }

  /** The id of the key that new capabilities are minted with. */
  String current() {
    return current;
  }

  /** The key with this id. */
  Optional<RootKey> find(String keyId) {
    return Optional.ofNullable(keys.get(keyId));
  }

  /** A new capability that allows everything; whoever hands it out narrows it first. */
  Macaroon mint(CapabilityId id) {
    return Macaroon.mint(find(id.keyId()).orElseThrow(), LOCATION, id.bytes());
  }

  /** Whether there is a key with this id. */
  boolean has(String keyId) {
    return keys.containsKey(keyId);
  }

  /** The ids only. */
  @Override
  public String toString() {
    return "RootKeys[ids=" + keys.keySet() + ", current=" + current + "]";
  }
}
