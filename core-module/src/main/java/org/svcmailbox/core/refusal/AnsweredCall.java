package org.svcmailbox.core.refusal;

/** A call that was refused or failed, for the log. */
public interface AnsweredCall {
  /** The call and its status, such as {@code POST /v1/send answered 400}; may contain secrets. */
  String line();

  /** The client's address in numeric form. */
  String address();

  /** Whether callers without any right can cause this line as often as they like. */
  boolean isAnyones();
}
