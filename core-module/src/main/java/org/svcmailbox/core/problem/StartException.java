package org.svcmailbox.core.problem;

import org.jspecify.annotations.Nullable;

/**
 * The application cannot start. The message tells operators in one line what is wrong and what to
 * do.
 */
public class StartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final boolean isFinal;

  /**
   * @param isFinal whether each start fails in the same way until an operator changes something
   */
  public StartException(String what, boolean isFinal, @Nullable Throwable cause) {
    super(what, cause);
    this.isFinal = isFinal;
  }

  public boolean isFinal() {
    return isFinal;
  }
}
