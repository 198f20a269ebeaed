package org.svcmailbox.core.supervision;

import java.util.HashSet;
import java.util.Set;

/** The reasons logged in one outage, each once. The caller holds a lock of its own. */
public final class OutageReasons {
  /** An outage has a few reasons, and some of them name what was asked when it began. */
  private static final int MOST = 16;

  private final Set<String> logged = new HashSet<>();

  /** Records a reason; returns whether to log it. */
  public boolean add(String why) {
    return logged.size() < MOST && logged.add(why);
  }

  /** Ends the outage; returns whether there was one. */
  public boolean end() {
    boolean wasOne = !logged.isEmpty();
    logged.clear();
    return wasOne;
  }
}
