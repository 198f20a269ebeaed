package org.svcmailbox.bench.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.ServiceBuilder;
import org.svcmailbox.client.http.TokenSource;

/** Heap of messages in a client whose service accepts connections but never answers. */
final class HeldMessages {
  private static final int MESSAGES = ServiceBuilder.BUFFER_MESSAGES;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private HeldMessages() {}

  /**
   * Bytes for each message of 1 KiB in {@code sendAsync}.
   *
   * @throws IllegalStateException if closing the mailbox leaves a send unanswered
   */
  static double bytesOfOne() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      AtomicInteger open = new AtomicInteger();
      HttpMailbox<byte[], byte[]> mailbox =
          HttpMailbox.builder(
                  URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                  TokenSource.of("silent"),
                  LoadTarget.TOPICS + "held",
                  Codecs.bytes(),
                  Codecs.bytes())
              .sendTimeout(TIMEOUT)
              .callTimeout(TIMEOUT)
              .build();
      long before = Heap.ownBytes();
      for (int i = 0; i < MESSAGES; i++) {
        open.incrementAndGet();
        CompletionStage<Sent> answer = mailbox.sendAsync(Outgoing.of(LoadPayload.bytes()));
        answer.whenComplete((sent, failure) -> open.decrementAndGet());
      }
      long after = Heap.ownBytes();
      if (open.get() != MESSAGES) {
        throw new IllegalStateException(open.get() + " messages are held, not " + MESSAGES);
      }
      mailbox.close();
      if (open.get() != 0) {
        throw new IllegalStateException(open.get() + " sends have no answer");
      }
      return (after - before) / (double) MESSAGES;
    }
  }
}
