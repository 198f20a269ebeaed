package org.svcmailbox.it.outage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.svcmailbox.it.server.MailboxServer;

/** Something that must outlive the server's process. */
public interface Scenario {
  /** A way in which the server ends. */
  @FunctionalInterface
  interface End {
    void run() throws Exception;
  }

  /** The expected property, as the name of a test. */
  String name();

  /** Brings about what is to outlive the process. */
  void before() throws Exception;

  /** Looks at what is left of it, once the server is ready again. */
  void after() throws Exception;

  /**
   * Ends a server once for several scenarios, starts it again, and has a test for each of them. The
   * last one to begin is the first to be looked at.
   */
  static Stream<DynamicTest> across(MailboxServer server, End end, Scenario... scenarios)
      throws Exception {
    if (!server.isAlive()) {
      server.restart();
    }
    List<Scenario> begun = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      scenario.before();
      begun.add(scenario);
    }
    end.run();
    server.restart();
    Collections.reverse(begun);
    return begun.stream()
        .map(scenario -> DynamicTest.dynamicTest(scenario.name(), scenario::after));
  }
}
