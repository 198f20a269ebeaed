package org.svcmailbox.client.redis;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.testing.MailboxContract;
import org.svcmailbox.test.concurrent.Deadline;

/** The contract on Redis, whose time passes by itself. */
abstract class RedisContract extends MailboxContract {
  /** The servers that may have a mailbox. */
  abstract List<RedisServer> servers();

  /** Tells a mailbox where the servers are. */
  abstract RedisMailbox.Builder<String, String> at(RedisMailbox.Builder<String, String> builder);

  @Override
  protected Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver) {
    return at(RedisMailbox.builder(name, codec, codec)).resolver(resolver).build();
  }

  @Override
  protected Mailbox<String, String> openBounded(String name, int capacity) {
    return at(RedisMailbox.builder(name, Codecs.utf8(), Codecs.utf8())).capacity(capacity).build();
  }

  @Override
  protected void passTime(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** A thread that waits for Redis runs, as Java sees it. */
  @Override
  protected void awaitBlocked(Thread receiver) {
    Deadline.in(Duration.ofSeconds(10))
        .await(
            () ->
                !receiver.isAlive()
                    || servers().stream().mapToInt(RedisServer::blockedClients).sum() > 0,
            () -> "a client waits in Redis");
  }
}
