package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.spi.AbstractMailbox;
import org.svcmailbox.client.testing.FakeMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** Requests, their deadlines, budgets and results. */
class LoopRequestTest extends LoopFixture {
  @Test
  void aRequestPastItsDeadlineIsAnsweredWithAnError() {
    AtomicInteger handled = new AtomicInteger();
    Requests requests = new Requests();
    requests.send(new MainLoopRequest<>("apples").withDeadline(clock.now()));

    requests.serve(
        request -> {
          handled.incrementAndGet();
          return 1;
        });

    MainLoopResult<Integer> result = requests.result();
    assertNull(result.output());
    assertTrue(String.valueOf(result.error()).contains("deadline"), result::toString);
    assertEquals(0, handled.get());
    await(() -> requests.mailbox.approximateCount() == 0);
  }

  @Test
  void aDeadlineThatPassesInterruptsTheHandler() throws Exception {
    Requests requests = new Requests();
    requests.send(new MainLoopRequest<>("apples").withDeadline(clock.now().plusSeconds(15)));
    requests.serveUntilReleased();

    clock.advance(Duration.ofSeconds(15));

    assertTrue(String.valueOf(requests.result().error()).contains("deadline"));
    await(() -> requests.mailbox.approximateCount() == 0);
    assertEquals(0, requests.mailbox.calls(Operation.NACK));
  }

  @Test
  void aSpentBudgetInterruptsTheHandler() throws Exception {
    Requests requests = new Requests();
    requests.send(
        new MainLoopRequest<>("apples")
            .withBudget(Duration.ofSeconds(5))
            .withDeadline(clock.now().plusSeconds(15)));
    requests.serveUntilReleased();

    clock.advance(Duration.ofSeconds(5));

    assertTrue(String.valueOf(requests.result().error()).contains("budget"));
    await(() -> requests.mailbox.approximateCount() == 0);
  }

  @Test
  void aRequestIsAnsweredWithItsOutput() {
    Requests requests = new Requests();
    MainLoopRequest<String> request =
        new MainLoopRequest<>("apples").withDeadline(clock.now().plusSeconds(15));
    requests.send(request);

    requests.serve(asked -> asked.request().length());

    MainLoopResult<Integer> result = requests.result();
    assertEquals(request.requestId(), result.requestId());
    assertEquals(6, result.output());
    assertNull(result.error());
    assertEquals(clock.now(), result.completedAt());
    assertFalse(result.sessionId().isEmpty());
  }

  @Test
  void aRequestThatFailsTooOftenIsAnsweredWithAnError() {
    Requests requests = new Requests();
    MainLoopRequest<String> request = new MainLoopRequest<>("apples");
    requests.send(request);
    requests.serve(
        asked -> {
          throw new IOException("no basket");
        });
    for (int delivery = 1; delivery <= 2; delivery++) {
      int nacks = delivery;
      await(() -> requests.mailbox.calls(Operation.NACK) == nacks);
      clock.advance(Duration.ofMinutes(delivery));
    }

    MainLoopResult<Integer> result = requests.result();

    assertEquals(request.requestId(), result.requestId());
    assertTrue(String.valueOf(result.error()).contains("no basket"), result::toString);
    await(() -> requests.mailbox.approximateCount() == 0);
  }

  /** The backend takes the dead letter out, and tells the requester nothing. */
  @Test
  void aRequestThatFailsForTheLastTimeIsAnsweredWhereDeadLettersAreNative() throws Exception {
    InMemoryMailbox<MainLoopResult<Integer>, Object> results =
        InMemoryMailbox.<MainLoopResult<Integer>, Object>builder(
                "results", MainLoopResult.json(Integer.class), Codecs.reference())
            .clock(clock)
            .build();
    BackendFeatures service = BackendFeatures.HTTP.with(changed -> changed.maxDeliveries(2));
    Mailbox<MainLoopRequest<String>, MainLoopResult<Integer>> requests =
        new AbstractMailbox<>(
            "requests",
            new InMemoryDriver("requests", service, 10, clock),
            MainLoopRequest.json(String.class),
            MainLoopResult.json(Integer.class),
            MailboxResolver.of(results)) {};
    MainLoopRequest<String> request = new MainLoopRequest<>("apples");
    requests.send(request, results);
    BlockingQueue<LoopListener.Ending> endings = new LinkedBlockingQueue<>();
    loops.add(
        MainLoop.serving(
                requests,
                asked -> {
                  throw new IOException("no basket");
                })
            .clock(clock)
            .retryDelay(Duration.ZERO)
            .listener(
                new LoopListener() {
                  @Override
                  public void ended(String mailbox, Ending ending, Duration handling) {
                    endings.add(ending);
                  }
                })
            .start());

    Message<MainLoopResult<Integer>, Object> reply =
        results.receive(1, VISIBILITY, Duration.ofMinutes(1)).get(0);

    assertEquals(request.requestId(), reply.body().requestId());
    assertTrue(String.valueOf(reply.body().error()).contains("no basket"), reply::toString);
    assertEquals(LoopListener.Ending.RETRIED, endings.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertTrue(reply.inReplyTo().isPresent());
  }

  @Test
  void anUndecodableRequestIsAnsweredWithItsMessagesId() {
    Requests requests = new Requests();
    String id = requests.sendRaw("{not json");
    requests.serve(asked -> 1);
    for (int delivery = 1; delivery <= 2; delivery++) {
      int nacks = delivery;
      await(() -> requests.mailbox.calls(Operation.NACK) == nacks);
      clock.advance(Duration.ofMinutes(delivery));
    }

    MainLoopResult<Integer> result = requests.result();

    assertEquals(id, result.requestId());
    assertTrue(String.valueOf(result.error()).contains("JSON"), result::toString);
  }

  /** A mailbox of requests as JSON, with the mailbox of their results. */
  private final class Requests {
    private final InMemoryMailbox<MainLoopResult<Integer>, Object> results =
        InMemoryMailbox.<MainLoopResult<Integer>, Object>builder(
                "results", MainLoopResult.json(Integer.class), Codecs.reference())
            .clock(clock)
            .build();
    private final FakeMailbox<MainLoopRequest<String>, MainLoopResult<Integer>> mailbox =
        new FakeMailbox<>(
            "requests",
            new RawOrRequest(),
            MainLoopResult.json(Integer.class),
            MailboxResolver.of(results),
            clock);

    void send(MainLoopRequest<String> request) {
      mailbox.send(request, results);
    }

    String sendRaw(String json) {
      return mailbox.send(new MainLoopRequest<>(RawOrRequest.RAW + json), results);
    }

    /** Returns when a handler runs, which waits for its release. */
    void serveUntilReleased() throws InterruptedException {
      CountDownLatch began = new CountDownLatch(1);
      serve(
          request -> {
            began.countDown();
            release.await();
            return 1;
          });
      assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    void serve(RequestHandler<String, Integer> handler) {
      loops.add(
          MainLoop.serving(mailbox, handler)
              .visibility(VISIBILITY)
              .deadLetters(DLQConfig.logAndAcknowledge(2))
              .clock(clock)
              .start());
    }

    MainLoopResult<Integer> result() {
      await(() -> results.approximateCount() == 1);
      return results.receive(1, VISIBILITY, Duration.ZERO).get(0).body();
    }
  }

  /** JSON of requests, which can also write what is none. */
  private static final class RawOrRequest implements Codec<MainLoopRequest<String>> {
    static final String RAW = "raw:";
    private final Codec<MainLoopRequest<String>> json = MainLoopRequest.json(String.class);

    @Override
    public byte[] encode(MainLoopRequest<String> body) {
      return body.request().startsWith(RAW)
          ? Codecs.utf8().encode(body.request().substring(RAW.length()))
          : json.encode(body);
    }

    @Override
    public MainLoopRequest<String> decode(byte[] bytes) {
      return json.decode(bytes);
    }
  }
}
