package org.svcmailbox.it.amnesia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.outage.Scenario;
import org.svcmailbox.it.server.MailboxServer;

/**
 * The search that finds nothing of a server in amnesia finds what it looks for where a durable
 * server writes it.
 */
public final class WrittenCanaries implements Scenario {
  /** Canaries that a durable server does not write either: it hashes and forgets them. */
  private static final Set<Canary> NEVER_WRITTEN = EnumSet.of(Canary.SHARD_KEY);

  private final Soak soak;
  private final CanarySearch search;
  private long dead;

  /**
   * @param server a durable one
   * @param temporary its directory for temporary files
   */
  public WrittenCanaries(MailboxServer server, Path temporary) throws IOException {
    this.soak = new Soak(new MailboxClient(server.target()));
    this.search = new CanarySearch(server, temporary);
  }

  @Override
  public String name() {
    return "without amnesia the search finds what was written, and dead letters are there";
  }

  @Override
  public void before() throws IOException {
    soak.run();
    soak.assertProfile("durable");
    dead = soak.dead();
    assertEquals(EnumSet.complementOf(EnumSet.copyOf(NEVER_WRITTEN)), search.found().keySet());
  }

  @Override
  public void after() throws IOException {
    assertEquals(dead, soak.dead());
    assertTrue(
        search.found().containsKey(Canary.NACK_REASON), "the last error of the dead letters");
  }
}
