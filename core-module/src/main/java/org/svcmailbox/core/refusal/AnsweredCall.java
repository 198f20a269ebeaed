package org.svcmailbox.core.refusal;

/** A call that was refused or failed, for the log. */
public interface AnsweredCall {
  /** Such as {@code POST /v1/send answered 400}; may have secrets. */
  String line();

  /** The client's, in digits. */
  String address();

  /** Whether callers without any right can have it logged as often as they like. */
  boolean isAnyones();
}
