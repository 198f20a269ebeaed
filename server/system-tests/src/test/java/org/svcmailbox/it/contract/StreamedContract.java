package org.svcmailbox.it.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.ServiceBuilder;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.testing.MailboxContract;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * The contract of mailboxes over streams of the laid-out server. A receive of the contract that
 * does not wait would be a call, so here it waits a little and comes by the stream.
 */
abstract class StreamedContract extends MailboxContract {
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration KEY_WINDOW = Duration.ofSeconds(10);
  private static final Duration SLACK = Duration.ofMillis(500);

  final MailboxClient client;
  final TokenSource operator;

  StreamedContract(MailboxClient client) {
    this.client = client;
    this.operator = TokenSource.of(requireNonNull(client.target().token().get()));
  }

  /** A mailbox that receives by a stream. */
  abstract Mailbox<String, String> streamed(
      String name, Codec<String> codec, Consumer<ServiceBuilder<?>> change);

  /** As the contract's topics, whose keys are taken for a short while. */
  private static void forget(ServiceBuilder<?> builder, Duration sendTimeout) {
    builder.limits(changed -> changed.keyWindow(KEY_WINDOW)).sendTimeout(sendTimeout);
  }

  @Override
  protected Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver) {
    return made(
        streamed(
            name,
            codec,
            builder -> {
              forget(builder, KEY_WINDOW.minusSeconds(1));
              builder.resolver(resolver);
            }),
        Fields.of("t_replay", KEY_WINDOW.toSeconds() + "s").with("retention_inflight", "2d"));
  }

  @Override
  protected Mailbox<String, String> openBounded(String name, int capacity) {
    return made(
        streamed(name, Codecs.utf8(), builder -> forget(builder, Duration.ofSeconds(4))),
        Fields.of("retention_ready_count", capacity));
  }

  private Mailbox<String, String> made(Mailbox<String, String> mailbox, Fields settings) {
    try {
      int status = client.putTopic(mailbox.name(), settings).status();
      assertTrue(status == 200 || status == 201, "status " + status);
      return WaitingMailbox.of(mailbox);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void passTime(Duration duration) {
    try {
      Thread.sleep(duration.plus(SLACK).toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aLoopHandlesEachMessageOfAStreamOnce() {
    String topic = TestTopics.fresh("streamed");
    Set<String> handled = new ConcurrentSkipListSet<>();
    int messages = 200;
    try (Mailbox<String, String> orders = streamed(topic, Codecs.utf8(), usual -> {});
        MainLoop<String, String> loop =
            MainLoop.<String, String>consuming(
                    orders,
                    message -> {
                      assertEquals(1, message.deliveryCount());
                      assertTrue(handled.add(message.body()), message.body());
                    })
                .workers(4)
                .start()) {
      for (int i = 0; i < messages; i++) {
        orders.send("apple " + i);
      }
      Deadline.in(PATIENCE)
          .await(() -> orders.approximateCount() == 0, () -> handled.size() + " handled");
      assertEquals(messages, handled.size());
      assertTrue(loop.isRunning());
    }
  }
}
