package org.svcmailbox.core.health;

import java.time.Instant;

/** The moments at which parts got their present status. Any thread. */
public interface StatusTimes {
  /** Records a status that was just observed; returns when the part was first seen to have it. */
  Instant since(Vital seen);
}
