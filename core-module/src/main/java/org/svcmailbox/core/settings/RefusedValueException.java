package org.svcmailbox.core.settings;

import java.util.List;

/**
 * A setting's value is refused, for one or more reasons. Each reason continues the sentence that
 * begins with the key.
 */
final class RefusedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> reasons;

  RefusedValueException(List<String> reasons) {
    super(String.join("; ", reasons));
    this.reasons = List.copyOf(reasons);
  }

  RefusedValueException(String reason) {
    this(List.of(reason));
  }

  List<String> reasons() {
    return reasons;
  }
}
