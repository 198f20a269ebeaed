package org.svcmailbox.undertow.threads;

/** Which threads serve requests. */
public final class RequestThreads {
  private static final ThreadLocal<Boolean> SERVES = ThreadLocal.withInitial(() -> false);

  private RequestThreads() {}

  /** Whether the calling thread serves requests, of which there are few. */
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
