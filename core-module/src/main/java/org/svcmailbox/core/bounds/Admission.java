package org.svcmailbox.core.bounds;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;

/** The result of counting a SEND among the pending ones: admitted or refused. */
public sealed interface Admission {
  /** Applies the function for this result. */
  <T> T either(Function<Admitted, T> ifAdmitted, Function<Refusal, T> ifRefused);

  /** There is no room; nothing was counted. */
  record Refused(Refusal why) implements Admission {
    @Override
    public <T> T either(Function<Admitted, T> ifAdmitted, Function<Refusal, T> ifRefused) {
      return ifRefused.apply(why);
    }
  }

  /**
   * A SEND counted among the pending ones, until the first of {@link #take} and {@link #withdraw}.
   * Any thread, one at a time.
   */
  final class Admitted implements Admission {
    private final SharedLimit pendingBytes;
    private final CapacityLimit stored;
    private final CapacityLimit ofShard;
    private final int size;
    private final TopicName topic;
    private final @Nullable CapabilityId sender;

    Admitted(
        SharedLimit pendingBytes,
        CapacityLimit stored,
        CapacityLimit ofShard,
        int size,
        TopicName topic,
        @Nullable CapabilityId sender) {
      this.pendingBytes = pendingBytes;
      this.stored = stored;
      this.ofShard = ofShard;
      this.size = size;
      this.topic = topic;
      this.sender = sender;
    }

    @Override
    public <T> T either(Function<Admitted, T> ifAdmitted, Function<Refusal, T> ifRefused) {
      return ifAdmitted.apply(this);
    }

    /**
     * Ends the count, because the worker takes or refuses the SEND; counts towards the drain rate.
     */
    public void take() {
      ofShard.remove(1);
      pendingBytes.remove(size, topic, sender);
    }

    /** Ends the count as if the SEND had never been counted. */
    public void withdraw() {
      ofShard.undo(1);
      stored.undo(size + Limits.MESSAGE_OVERHEAD);
      pendingBytes.undo(size, topic, sender);
    }
  }
}
