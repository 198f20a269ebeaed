package org.svcmailbox.core.capability.store;

import java.util.Collection;
import java.util.Map;

/** Finds the names of capabilities; throws {@code UnavailableException} without the database. */
@FunctionalInterface
public interface CapabilityNames {
  /**
   * The names by nonce, while mintings are kept; without those that have none.
   *
   * @param nonces a hundred at most
   */
  Map<String, String> names(Collection<String> nonces);
}
