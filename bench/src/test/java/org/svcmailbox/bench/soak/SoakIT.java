package org.svcmailbox.bench.soak;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.test.files.Trees;

/** With {@code -Pnightly} only: {@code soak.minutes} at {@code soak.rate} messages a second. */
class SoakIT {
  @Test
  void aSteadyRateLeavesEverythingWhereItWas() throws Exception {
    int seconds = 60 * Integer.getInteger("soak.minutes", 60);
    Options options =
        Options.parse(
            "--scenario",
            "soak",
            "--seconds",
            Integer.toString(seconds),
            "--rate",
            System.getProperty("soak.rate", "3000"),
            "--home",
            Path.of(System.getProperty("mailbox.server.home")).toString());
    Trees.delete(options.work());
    Soak.run(options);
  }
}
