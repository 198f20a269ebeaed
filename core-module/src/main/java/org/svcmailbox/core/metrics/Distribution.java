package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.Map;

/** Something that is measured again and again: how often it was how much. Any thread. */
public interface Distribution {
  /** Its name, kind, unit and meaning. */
  Family family();

  /** The family's labels with this distribution's values, in order. */
  Map<String, String> tags();

  /** What it is now; the numbers agree with each other. */
  List<Sample> read();
}
