package org.svcmailbox.client.drill;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/**
 * A mailbox whose every call is entered in a history, as its caller sees it. A message carries its
 * key as its correlation id too, because a receiver does not see keys.
 */
public final class RecordedMailbox implements Mailbox<byte[], byte[]> {
  private final Mailbox<byte[], byte[]> mailbox;
  private final HistoryRecorder recorder;
  private final AtomicLong unanswered = new AtomicLong();

  public RecordedMailbox(Mailbox<byte[], byte[]> mailbox, HistoryRecorder recorder) {
    this.mailbox = mailbox;
    this.recorder = recorder;
  }

  /** How many stages of {@link #sendAsync} have not completed. */
  public long unanswered() {
    return unanswered.get();
  }

  /** A message with its key in both places. */
  static Outgoing<byte[], Object> keyed(String key, byte[] body, Duration delay) {
    return Outgoing.builder(body).key(key).correlationId(key).delay(delay).build();
  }

  /** The key of a received message. */
  static String key(Message<?, ?> message) {
    return message.correlationId().orElse("");
  }

  @Override
  public String name() {
    return mailbox.name();
  }

  @Override
  public BackendFeatures features() {
    return mailbox.features();
  }

  @Override
  public String send(byte[] body) {
    return send(Outgoing.of(body)).id();
  }

  @Override
  public String send(byte[] body, Mailbox<? super byte[], ?> replyTo) {
    return send(Outgoing.builder(body).replyTo(replyTo).build()).id();
  }

  @Override
  public Sent send(Outgoing<? extends byte[], ? super byte[]> message) {
    Call<Accepted> call = enter(message);
    try {
      Sent sent = mailbox.send(message);
      accepted(call, message, sent);
      return sent;
    } catch (RuntimeException e) {
      failed(call, e);
      throw e;
    }
  }

  @Override
  public List<SendResult> sendAll(
      List<? extends Outgoing<? extends byte[], ? super byte[]>> messages) {
    List<Call<Accepted>> calls = new ArrayList<>();
    messages.forEach(message -> calls.add(enter(message)));
    List<SendResult> results = mailbox.sendAll(messages);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof SendResult.Accepted accepted) {
        accepted(calls.get(i), messages.get(i), accepted.sent());
      } else if (results.get(i) instanceof SendResult.Failed failed) {
        failed(calls.get(i), failed.cause());
      }
    }
    return results;
  }

  @Override
  public CompletionStage<Sent> sendAsync(Outgoing<? extends byte[], ? super byte[]> message) {
    return sendAsync(message, failure -> {});
  }

  /**
   * The same.
   *
   * @param ended gets the failure, or null, before the stage counts as answered
   */
  CompletionStage<Sent> sendAsync(
      Outgoing<? extends byte[], ? super byte[]> message, Consumer<@Nullable Throwable> ended) {
    Call<Accepted> call = enter(message);
    unanswered.incrementAndGet();
    return mailbox
        .sendAsync(message)
        .whenComplete(
            (sent, failure) -> {
              Throwable cause = failure == null ? null : unwrapped(failure);
              if (cause == null) {
                accepted(call, message, sent);
              } else {
                failed(call, cause);
              }
              ended.accept(cause);
              unanswered.decrementAndGet();
            });
  }

  private Call<Accepted> enter(Outgoing<? extends byte[], ?> message) {
    return recorder.send(name(), message.key().orElseThrow(), hash(message.body()));
  }

  private void accepted(Call<Accepted> call, Outgoing<? extends byte[], ?> message, Sent sent) {
    if (sent.duplicate()) {
      // Perhaps of an attempt that the client made in this call, and whose answer was lost.
      enter(message).unknown();
    }
    call.ok(new Accepted(sent.id(), sent.duplicate()));
  }

  /** A failure changed nothing, unless it or its cause says that it may have. */
  static void failed(Call<?> call, Throwable failure) {
    if (isLost(failure) || isLost(failure.getCause()) || !(failure instanceof MailboxException)) {
      call.unknown();
    } else {
      call.fail();
    }
  }

  private static boolean isLost(@Nullable Throwable failure) {
    return failure instanceof MailboxConnectionException e && e.outcome() == Outcome.UNKNOWN;
  }

  /** Without what a stage puts around it. */
  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }

  @Override
  public List<Message<byte[], byte[]>> receive(
      int maxMessages, Duration visibility, Duration wait) {
    Call<List<Handed>> call = recorder.recv(name(), visibility);
    try {
      List<Message<byte[], byte[]>> messages = mailbox.receive(maxMessages, visibility, wait);
      if (messages.isEmpty() && (isClosed() || Thread.currentThread().isInterrupted())) {
        // It was cancelled, and may have been answered with messages all the same.
        call.unknown();
      } else {
        call.ok(messages.stream().map(RecordedMailbox::handed).toList());
      }
      List<Message<byte[], byte[]>> recorded = new ArrayList<>();
      messages.forEach(message -> recorded.add(new RecordedMessage(message, recorder)));
      return recorded;
    } catch (RuntimeException e) {
      failed(call, e);
      throw e;
    }
  }

  private static Handed handed(Message<byte[], byte[]> message) {
    return new Handed(
        message.id(),
        key(message),
        hash(message.body()),
        message.deliveryCount(),
        message.receiptHandle(),
        null);
  }

  private static String hash(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public OptionalLong purge() {
    return mailbox.purge();
  }

  @Override
  public long approximateCount() {
    return mailbox.approximateCount();
  }

  @Override
  public boolean isClosed() {
    return mailbox.isClosed();
  }

  @Override
  public void close() {
    mailbox.close();
  }
}
