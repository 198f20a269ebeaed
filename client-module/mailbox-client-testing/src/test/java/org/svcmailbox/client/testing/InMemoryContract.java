package org.svcmailbox.client.testing;

import java.time.Duration;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;

/** The contract on memory, with the bounds of one backend or another. */
abstract class InMemoryContract extends MailboxContract {
  private final BackendFeatures like;
  private final VirtualClock clock = new VirtualClock();

  InMemoryContract(BackendFeatures like) {
    this.like = like;
  }

  @Override
  protected Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver) {
    return InMemoryMailbox.builder(name, codec, codec)
        .resolver(resolver)
        .clock(clock)
        .like(like)
        .build();
  }

  @Override
  protected Mailbox<String, String> openBounded(String name, int capacity) {
    return InMemoryMailbox.builder(name, ContractCodec.INSTANCE, ContractCodec.INSTANCE)
        .clock(clock)
        .like(like)
        .capacity(capacity)
        .build();
  }

  @Override
  protected void passTime(Duration duration) {
    clock.advance(duration);
  }

  @Override
  protected void awaitBlocked(Thread receiver) throws Exception {
    clock.awaitWaiters(1);
  }
}
