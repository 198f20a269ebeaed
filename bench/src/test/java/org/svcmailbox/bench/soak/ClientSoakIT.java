package org.svcmailbox.bench.soak;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.test.files.Trees;

/** With {@code -Pnightly} only: {@code client.soak.minutes}, with a restart in each. */
class ClientSoakIT {
  @Test
  void nothingIsLostOrGrowsWhileTheServerIsRestarted() throws Exception {
    int seconds = 60 * Integer.getInteger("client.soak.minutes", 10);
    Options options =
        Options.parse(
            "--scenario",
            "client-soak",
            "--seconds",
            Integer.toString(seconds),
            "--home",
            Path.of(System.getProperty("mailbox.server.home")).toString());
    Trees.delete(options.work());
    ClientSoak.run(options);
  }
}
