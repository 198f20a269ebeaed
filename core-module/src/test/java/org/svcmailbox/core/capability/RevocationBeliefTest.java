package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.store.CapabilityStore.Answer;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

class RevocationBeliefTest {
  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final int MANY = 40;
  private static final long SECONDS = 30;

  private final TestTime time = new TestTime();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newFixedThreadPool(MANY);
  private final CompletionService<Standing> calls = new ExecutorCompletionService<>(callers);
  private volatile boolean isSilent;

  private final RevocationBelief belief =
      new RevocationBelief(
          this::answer,
          new RecentRevocations(OUTAGE, time::nanos),
          new BeliefTerms(FRESH, OUTAGE),
          time::nanos);

  private Answer answer(CapabilityId id) {
    asked.incrementAndGet();
    if (isSilent) {
      try {
        answer.await();
      } catch (InterruptedException e) {
        throw new UnavailableException("the test is over");
      }
    }
    return new Answer(false, "name of " + id.nonce());
  }

  private static CapabilityId id(int number) {
    return new CapabilityId("k1", "%032x".formatted(number));
  }

  @AfterEach
  void end() {
    callers.shutdownNow();
  }

  /** Has {@link #MANY} capabilities asked for at once, of which {@code most} wait. */
  private void onlySomeWait(int most, Standing others) throws Exception {
    int before = asked.get();
    isSilent = true;
    for (int i = 0; i < MANY; i++) {
      CapabilityId id = id(i);
      calls.submit(() -> belief.belief(id).standing());
    }
    for (int i = 0; i < MANY - most; i++) {
      assertEquals(others, next(), "while the others wait");
    }
    answer.countDown();
    for (int i = 0; i < most; i++) {
      assertEquals(Standing.GOOD, next());
    }
    assertEquals(before + most, asked.get());
  }

  private Standing next() throws Exception {
    Future<Standing> done = calls.poll(SECONDS, TimeUnit.SECONDS);
    assertNotNull(done, "too many calls wait for the store");
    return done.get();
  }

  @Test
  void callsThatCannotDoWithoutASilentStoreHoldFewThreads() throws Exception {
    onlySomeWait(RevocationBelief.MOST_UNBELIEVED, Standing.UNVERIFIED);
    for (int i = 0; i < MANY; i++) {
      assertEquals(Standing.GOOD, belief.belief(id(i)).standing(), "once the store answers");
    }
  }

  @Test
  void callsThatCanDoWithoutASilentStoreHoldFewerThreads() throws Exception {
    for (int i = 0; i < MANY; i++) {
      assertEquals(Standing.GOOD, belief.belief(id(i)).standing());
    }
    time.advance(FRESH);
    onlySomeWait(RevocationBelief.MOST_ASKING, Standing.GOOD);
  }

  @Test
  void aMintingWithoutAnAnswerIsNotBelieved() {
    assertThrows(
        UnavailableException.class,
        () ->
            belief.minted(
                id(1),
                null,
                () -> {
                  throw new UnavailableException("the answer is lost");
                }));
    assertEquals(0, belief.size());
    assertEquals(Standing.GOOD, belief.belief(id(1)).standing());
    assertEquals(1, asked.get());
  }

  @Test
  void aMintingIsBelievedUnlessARevocationNamesItMeanwhile() {
    belief.minted(id(1), null, () -> belief.forget(id(2)::equals));
    assertEquals(Standing.GOOD, belief.belief(id(1)).standing());
    assertEquals(0, asked.get());
    belief.minted(id(3), null, () -> belief.forget(id -> id.keyId().equals("k1")));
    assertEquals(Standing.GOOD, belief.belief(id(3)).standing());
    assertEquals(1, asked.get());
  }
}
