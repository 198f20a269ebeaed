package org.svcmailbox.it.browser;

import java.nio.file.Path;
import org.svcmailbox.test.process.Programs;

/** The machine's Chromium. It depends on too many packages to ship it with the tests. */
final class Chromium {
  private Chromium() {}

  /** The executable; fails with one line if there is none. */
  static Path program() {
    return Programs.require("chromium", "chromium", "chromium-browser", "google-chrome");
  }
}
