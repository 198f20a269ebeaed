package org.svcmailbox.core.worker.state;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two callers race the worker for an inbox with room for one command. */
@Tag("race")
class InboxRaceTest {
  /** An inbox, as a caller and its worker see it. */
  private interface Subject {
    boolean offer(String command);

    @Nullable String take();

    void close(Consumer<String> refused);

    int size();
  }

  private static final class Real implements Subject {
    private final Inbox<String> inbox = new Inbox<>(1, () -> 0);

    @Override
    public boolean offer(String command) {
      return inbox.offer(command);
    }

    @Override
    public @Nullable String take() {
      String command = inbox.poll();
      inbox.done(command == null ? 0 : 1);
      return command;
    }

    @Override
    public void close(Consumer<String> refused) {
      inbox.close(refused);
    }

    @Override
    public int size() {
      return inbox.size();
    }
  }

  /** Checks for room and a worker first, and adds afterwards. */
  private static final class Racy implements Subject {
    private final List<String> commands = new ArrayList<>();
    private @Nullable Consumer<String> refuser;

    @Override
    public boolean offer(String command) {
      synchronized (commands) {
        if (!commands.isEmpty()) {
          return false;
        }
        if (refuser != null) {
          refuser.accept(command);
          return true;
        }
      }
      synchronized (commands) {
        return commands.add(command);
      }
    }

    @Override
    public @Nullable String take() {
      synchronized (commands) {
        return commands.isEmpty() ? null : commands.remove(0);
      }
    }

    @Override
    public void close(Consumer<String> refused) {
      synchronized (commands) {
        refuser = refused;
        commands.forEach(refused);
        commands.clear();
      }
    }

    @Override
    public int size() {
      synchronized (commands) {
        return commands.size();
      }
    }
  }

  /** Without a reader, one command gets in. */
  private static void fill(Supplier<Subject> subjects) {
    Subject inbox = subjects.get();
    boolean[] accepted = new boolean[2];
    together(() -> accepted[0] = inbox.offer("a"), () -> accepted[1] = inbox.offer("b"));
    if (accepted[0] == accepted[1] || inbox.size() != 1) {
      throw new AssertionError(accepted[0] ? "both are accepted" : "one is missing");
    }
  }

  /** While the worker takes: an accepted command comes out once. */
  private static void pass(Supplier<Subject> subjects) {
    Subject inbox = subjects.get();
    List<String> accepted = new ArrayList<>();
    List<@Nullable String> taken = new ArrayList<>();
    boolean[] in = new boolean[2];
    together(
        () -> in[0] = inbox.offer("a"),
        () -> in[1] = inbox.offer("b"),
        () -> taken.add(inbox.take()));
    taken.add(inbox.take());
    taken.add(inbox.take());
    taken.removeIf(command -> command == null);
    for (int i = 0; i < in.length; i++) {
      if (in[i]) {
        accepted.add(i == 0 ? "a" : "b");
      }
    }
    if (taken.size() != accepted.size() || !taken.containsAll(accepted) || inbox.size() != 0) {
      throw new AssertionError("accepted " + accepted + ", taken " + taken);
    }
  }

  /** While the worker dies: an accepted command is refused once. */
  private static void close(Supplier<Subject> subjects) {
    Subject inbox = subjects.get();
    List<String> refused = Collections.synchronizedList(new ArrayList<>());
    boolean[] in = new boolean[2];
    together(
        () -> in[0] = inbox.offer("a"),
        () -> in[1] = inbox.offer("b"),
        () -> inbox.close(refused::add));
    int accepted = (in[0] ? 1 : 0) + (in[1] ? 1 : 0);
    if (refused.size() != accepted || Set.copyOf(refused).size() != accepted) {
      throw new AssertionError("one waits for nobody: accepted " + accepted + ", " + refused);
    }
    if (inbox.size() != 0) {
      throw new AssertionError("still counted: " + inbox.size());
    }
  }

  @Test
  void aFullInboxTakesNothing() {
    check(() -> fill(() -> new Real()));
  }

  @Test
  void whatIsAcceptedComesOutOnce() {
    check(() -> pass(() -> new Real()));
  }

  @Test
  void whatIsAcceptedAsTheWorkerDiesIsRefusedOnce() {
    check(() -> close(() -> new Real()));
  }

  @Test
  void anInboxThatLooksFirstIsCaught() {
    assertFound("both are accepted", () -> fill(() -> new Racy()));
    assertFound("one waits for nobody", () -> close(() -> new Racy()));
  }
}
