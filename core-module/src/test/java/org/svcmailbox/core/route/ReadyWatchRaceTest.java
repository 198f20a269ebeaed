package org.svcmailbox.core.route;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.envelope.TopicName;

/** Calls that begin and end to wait race reports of messages. */
@Tag("race")
class ReadyWatchRaceTest {
  private static final ReadyKey ORDERS = new ReadyKey(new TopicName("orders"), null);

  /** A watch of one topic, as calls and reports see it. */
  private interface Subject {
    void add(String call);

    void remove(String call);

    /** Ends the question under way with a report; returns the calls that it wakes. */
    List<String> report();

    /** Whether a question names the topic once time has passed. */
    boolean isAskedLater();
  }

  private static final class Real implements Subject {
    private final ReadyWatch<String> watch = new ReadyWatch<>();
    private ReadyWatch.@Nullable Question question;

    @Override
    public void add(String call) {
      watch.add(ORDERS, call);
      ReadyWatch.Question begun = watch.begin(0);
      question = begun == null ? question : begun;
    }

    @Override
    public void remove(String call) {
      watch.remove(ORDERS, call);
    }

    @Override
    public List<String> report() {
      List<String> woken = new ArrayList<>();
      ReadyWatch.Question asked = question;
      if (asked != null) {
        for (ReadyWatch.Report report : watch.answered(asked, List.of(ORDERS), 1)) {
          String call = watch.next(report.key());
          if (call != null) {
            woken.add(call);
          }
        }
      }
      return woken;
    }

    @Override
    public boolean isAskedLater() {
      return watch.isNamed(ORDERS) || watch.begin(2 * ReadyWatch.APART.toNanos()) != null;
    }
  }

  /** Takes the oldest call in two steps, and believes that a report is for all who wait. */
  private static final class Racy implements Subject {
    private final List<String> calls = new ArrayList<>();
    private boolean isNamed;

    @Override
    public void add(String call) {
      synchronized (calls) {
        calls.add(call);
        isNamed = true;
      }
    }

    @Override
    public void remove(String call) {
      synchronized (calls) {
        calls.remove(call);
      }
    }

    @Override
    public List<String> report() {
      List<String> woken;
      synchronized (calls) {
        woken = calls.isEmpty() ? List.of() : List.of(calls.get(0));
      }
      synchronized (calls) {
        calls.removeAll(woken);
        isNamed = false;
      }
      return woken;
    }

    @Override
    public boolean isAskedLater() {
      synchronized (calls) {
        return isNamed;
      }
    }
  }

  /** A call begins to wait while a report comes: it is woken, or a question is for it. */
  private static void begin(Supplier<Subject> subjects) {
    Subject watch = subjects.get();
    watch.add("a");
    List<String> woken = new ArrayList<>();
    together(() -> watch.add("b"), () -> woken.addAll(watch.report()));
    if (woken.size() < 2 && !watch.isAskedLater()) {
      throw new AssertionError("nothing is asked, and only woken: " + woken);
    }
  }

  /** Two reports wake two calls. */
  private static void twice(Supplier<Subject> subjects) {
    Subject watch = subjects.get();
    watch.add("a");
    watch.add("b");
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    together(() -> first.addAll(watch.report()), () -> second.addAll(watch.report()));
    if (first.equals(second)) {
      throw new AssertionError("woken twice: " + first);
    }
  }

  /** A client is gone while a report comes: another call is woken, or asks again. */
  private static void end(Supplier<Subject> subjects) {
    Subject watch = subjects.get();
    watch.add("a");
    watch.add("b");
    List<String> woken = new ArrayList<>();
    together(() -> watch.remove("a"), () -> woken.addAll(watch.report()));
    if (!woken.contains("b") && !watch.isAskedLater()) {
      throw new AssertionError("nothing is asked, and only woken: " + woken);
    }
  }

  @Test
  void aCallThatBeginsToWaitMissesNoMessage() {
    check(() -> begin(() -> new Real()));
  }

  @Test
  void eachReportWakesACallOfItsOwn() {
    check(() -> twice(() -> new Real()));
  }

  @Test
  void aCallThatEndsTakesNoReportFromAnother() {
    check(() -> end(() -> new Real()));
  }

  @Test
  void aWatchInTwoStepsIsCaught() {
    assertFound("nothing is asked", () -> begin(() -> new Racy()));
    assertFound("woken twice", () -> twice(() -> new Racy()));
    assertFound("nothing is asked", () -> end(() -> new Racy()));
  }

  /** Reports the one topic when told. */
  private static final class Topic implements ReadyService {
    private final List<Runnable> watches = new ArrayList<>();

    @Override
    public Watch whenReady(TopicName topic, @Nullable Integer shard, Runnable then) {
      synchronized (watches) {
        watches.add(then);
      }
      return () -> {};
    }

    void report() {
      List<Runnable> told;
      synchronized (watches) {
        told = List.copyOf(watches);
      }
      told.forEach(Runnable::run);
    }
  }

  /** A topic gets messages while a question replaces another: one of the answers says so. */
  private static void replace() {
    Topic topic = new Topic();
    ReadyAsker asker = new ReadyAsker(topic);
    List<CompletableFuture<List<ReadyKey>>> answers = new ArrayList<>();
    answers.add(asker.ask(question(1)));
    together(() -> topic.report(), () -> answers.add(asker.ask(question(2))));
    if (answers.stream().allMatch(answer -> answer.getNow(List.of()).isEmpty())) {
      throw new AssertionError("no answer has the topic");
    }
  }

  private static ReadyQuestion question(long number) {
    return new ReadyQuestion(7, number, List.of(ORDERS));
  }

  @Test
  void aReportIsInTheAnswerToSomeQuestion() {
    check(() -> replace());
  }
}
