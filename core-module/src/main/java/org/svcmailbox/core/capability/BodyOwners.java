package org.svcmailbox.core.capability;

import org.jspecify.annotations.Nullable;

/**
 * The holders in whose name the listener reads a request's body, by the request's token, before the
 * call is authenticated. Counts nothing and permits nothing. Any thread.
 */
public interface BodyOwners {
  /**
   * No particular holder: the call needs no token, or a genuine one has ended, with which leases
   * may still be settled.
   */
  String ANYONE = "";

  /** Answers from memory; null when only {@link #find} can tell. */
  @Nullable String known(@Nullable String token);

  /**
   * May ask the database; null when the call will be refused for its token.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when nothing can tell
   */
  @Nullable String find(@Nullable String token);
}
