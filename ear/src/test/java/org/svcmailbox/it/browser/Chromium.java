package org.svcmailbox.it.browser;

import java.nio.file.Path;
import org.svcmailbox.test.process.Programs;

/** The machine's Chromium. It needs too many other packages to be unpacked only. */
final class Chromium {
  private Chromium() {}

  /** The program; fails in one line when there is none. */
  static Path program() {
    return Programs.require("chromium", "chromium", "chromium-browser", "google-chrome");
  }
}
