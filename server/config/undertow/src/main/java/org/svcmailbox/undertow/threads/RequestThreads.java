package org.svcmailbox.undertow.threads;

/** Tells which threads serve requests. */
public final class RequestThreads {
  private static final ThreadLocal<Boolean> SERVES = ThreadLocal.withInitial(() -> false);

  private RequestThreads() {}

  /** Whether the calling thread is one of the few that serve requests. */
  public static boolean isCurrent() {
    return SERVES.get();
  }

  static void enter() {
    SERVES.set(true);
  }

  static void leave() {
    SERVES.remove();
  }
}
