package org.svcmailbox.test.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A launched process and all that it started: a start script may run the JVM as its child. None
 * outlives this JVM.
 */
public final class ProcessTree {
  private static final Duration DEATH = Duration.ofMinutes(1);
  private static final Set<ProcessTree> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Thread reaper = new Thread(() -> LIVE.forEach(ProcessTree::kill), "end-servers");
    Runtime.getRuntime().addShutdownHook(reaper);
  }

  private final Process root;

  /** Of a process that was just launched. */
  public ProcessTree(Process root) {
    this.root = root;
    LIVE.add(this);
  }

  /** Whether the launched process runs. */
  public boolean isAlive() {
    return root.isAlive();
  }

  /** The ids of all of it. */
  public List<Long> ids() {
    return all().map(ProcessHandle::pid).toList();
  }

  /** Sends SIGKILL to all of it, and returns when all of it is gone. */
  public void kill() {
    // A start script that continues would launch a process that nobody knows of.
    freeze();
    List<ProcessHandle> handles = all().toList();
    handles.forEach(ProcessHandle::destroyForcibly);
    awaitDeath(handles);
  }

  /** Stops all of it where it is, as SIGSTOP does: connections stay, and nobody answers on them. */
  public void freeze() {
    Set<Long> stopped = new HashSet<>();
    List<Long> found = ids();
    // Until none was started while the others were told, as by a start script.
    while (stopped.addAll(found)) {
      signal("-STOP", found);
      found = ids();
    }
  }

  /** Stops only the processes whose command line contains {@code text}, where they are. */
  public void freezeOnly(String text) {
    List<Long> found =
        all().filter(handle -> commandLine(handle).contains(text)).map(ProcessHandle::pid).toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("no process of " + text);
    }
    signal("-STOP", found);
  }

  /** Its arguments, separated by zeros; empty once it has ended. */
  private static String commandLine(ProcessHandle handle) {
    try {
      return Files.readString(Path.of("/proc/" + handle.pid() + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }

  /** Continues all processes. */
  public void thaw() {
    signal("-CONT", ids());
  }

  /** Has each JVM of it print what its threads do, as SIGQUIT does; it prints that on its own. */
  public void printThreads() {
    List<Long> machines =
        all()
            .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
            .map(ProcessHandle::pid)
            .toList();
    if (!machines.isEmpty()) {
      signal("-QUIT", machines);
    }
  }

  private static void signal(String signal, List<Long> ids) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    ids.forEach(id -> command.add(Long.toString(id)));
    try {
      int exit =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      // One may have ended since it was found; the others were told all the same.
      if (exit != 0 && ids.stream().allMatch(id -> ProcessHandle.of(id).isPresent())) {
        throw new IllegalStateException(String.join(" ", command) + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Sends SIGTERM to the launched process, as a service manager would, and returns its exit code
   * when all of it is gone.
   */
  public int terminate(Duration allowed) {
    root.destroy();
    return awaitEnd(allowed);
  }

  /**
   * Returns the exit code of the launched process once all processes have ended without being told
   * to.
   */
  public int awaitEnd(Duration allowed) {
    List<ProcessHandle> handles = all().toList();
    Deadline.in(allowed).await(() -> !root.isAlive(), () -> "the end of process " + root.pid());
    try {
      awaitDeath(handles);
    } finally {
      // Without their parent nobody finds them again.
      handles.forEach(ProcessHandle::destroyForcibly);
    }
    return root.exitValue();
  }

  private void awaitDeath(List<ProcessHandle> handles) {
    Deadline.in(DEATH)
        .await(
            () -> !root.isAlive() && handles.stream().noneMatch(ProcessHandle::isAlive),
            () -> "the end of " + handles.stream().filter(ProcessHandle::isAlive).toList());
    LIVE.remove(this);
  }

  private Stream<ProcessHandle> all() {
    // The JVM first: what is to be hit by a kill is the server, not its script.
    return Stream.concat(root.descendants(), Stream.of(root.toHandle()));
  }
}
