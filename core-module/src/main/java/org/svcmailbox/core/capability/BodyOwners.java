package org.svcmailbox.core.capability;

import org.jspecify.annotations.Nullable;

/**
 * Finds the owner of a request's body from the request's token, before the call is authenticated.
 * The listener bounds the bodies of each owner. Counts nothing and permits nothing. Any thread.
 */
public interface BodyOwners {
  /**
   * No particular owner: the call needs no token, or its genuine capability has expired and may
   * still settle leases.
   */
  String ANYONE = "";

  /** Answers from memory; null if only {@link #find} can tell. */
  @Nullable String known(@Nullable String token);

  /**
   * May ask the database; null if the call will be refused for its token.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if nothing can tell
   */
  @Nullable String find(@Nullable String token);
}
