package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.Map;

/** A measured quantity. Any thread. */
public interface Distribution {
  Family family();

  /** Label values by the family's labels, in order. */
  Map<String, String> tags();

  /** A consistent snapshot. */
  List<Sample> read();
}
