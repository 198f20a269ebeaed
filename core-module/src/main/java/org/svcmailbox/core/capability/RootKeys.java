package org.svcmailbox.core.capability;

import java.util.Map;
import java.util.Optional;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.RootKey;

/** The valid root keys. The current one mints; the others still verify. Immutable. */
final class RootKeys {
  private static final String LOCATION = "mailbox";

  private final Map<String, RootKey> keys;
  private final String current;

  RootKeys(Map<String, RootKey> keys, String current) {
    if (!keys.containsKey(current)) {
      throw new IllegalArgumentException("there is no root key " + current);
    }
    this.keys = Map.copyOf(keys);
    this.current = current;
  }

  String current() {
    return current;
  }

  Optional<RootKey> find(String keyId) {
    return Optional.ofNullable(keys.get(keyId));
  }

  Macaroon mint(CapabilityId id) {
    return Macaroon.mint(find(id.keyId()).orElseThrow(), LOCATION, id.bytes());
  }

  boolean has(String keyId) {
    return keys.containsKey(keyId);
  }

  /** Shows the ids only. */
  @Override
  public String toString() {
    return "RootKeys[ids=" + keys.keySet() + ", current=" + current + "]";
  }
}
