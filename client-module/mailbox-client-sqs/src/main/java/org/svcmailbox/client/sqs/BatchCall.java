package org.svcmailbox.client.sqs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * A call of SQS for several elements, each with a result of its own.
 *
 * @param <I> the elements
 * @param <A> the answer to each
 */
abstract class BatchCall<I, A> {
  private final String name;
  private final boolean sameTwice;
  private final SqsRepeater repeater;

  /**
   * @param name for messages of exceptions
   * @param sameTwice whether it may be repeated although an earlier attempt may have taken effect
   */
  BatchCall(String name, boolean sameTwice, SqsRepeater repeater) {
    this.name = name;
    this.sameTwice = sameTwice;
    this.repeater = repeater;
  }

  /**
   * An answer of SQS.
   *
   * @param done the answers to elements that succeeded, by their ids
   * @param failed the elements that did not
   */
  record Answer<A>(Map<String, A> done, List<BatchResultErrorEntry> failed) {}

  /** Makes the request once. */
  abstract Answer<A> request(List<SqsTask<I, A>> batch);

  /** Records that one element failed. */
  void fail(SqsTask<I, A> task, SqsFailure failure, boolean inDoubt) {
    task.fail(inDoubt ? failure.causeInDoubt() : failure.cause());
  }

  /** Makes the call, and gives each task its result. */
  final void run(List<SqsTask<I, A>> batch) {
    Map<String, SqsTask<I, A>> open = new HashMap<>();
    batch.forEach(task -> open.put(task.id, task));
    try {
      repeater.call(
          name,
          sameTwice,
          inDoubt -> {
            Answer<A> answer = request(batch);
            answer.done().forEach((id, done) -> with(open.remove(id), task -> task.succeed(done)));
            answer
                .failed()
                .forEach(
                    entry ->
                        with(
                            open.remove(entry.id()),
                            task -> fail(task, SqsFailure.of(name, entry), inDoubt)));
            return answer;
          });
      open.values().forEach(task -> fail(task, SqsFailure.unmentioned(name), false));
    } catch (RuntimeException e) {
      open.values().forEach(task -> task.fail(e));
    }
  }

  /** Does nothing for an element that is not in the batch. */
  private static <T> void with(@Nullable T task, Consumer<T> action) {
    if (task != null) {
      action.accept(task);
    }
  }
}
