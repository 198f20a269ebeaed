package org.svcmailbox.core.worker.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Command;

/**
 * The question when a topic has messages, shared by all workers with shards of it. The first answer
 * ends it. Any thread.
 */
public final class ReadyCall implements ReadyService.Watch, Command {
  private final Topic topic;
  private final @Nullable Integer shard;
  private final Runnable then;
  private final AtomicBoolean isOpen = new AtomicBoolean(true);

  public ReadyCall(Topic topic, @Nullable Integer shard, Runnable then) {
    this.topic = topic;
    this.shard = shard;
    this.then = then;
  }

  public Topic topic() {
    return topic;
  }

  @Nullable Integer shard() {
    return shard;
  }

  boolean isOpen() {
    return isOpen.get();
  }

  /** Has the caller look, unless it has been told so. */
  public void answer() {
    if (isOpen.compareAndSet(true, false)) {
      then.run();
    }
  }

  @Override
  public void cancel() {
    isOpen.set(false);
  }

  /** The caller learns the reason from its RECV. */
  @Override
  public void refuse(Refusal refusal) {
    answer();
  }

  /** No caller waits for it. */
  @Override
  public boolean isAnswered() {
    return true;
  }
}
