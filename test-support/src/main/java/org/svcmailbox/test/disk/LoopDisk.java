package org.svcmailbox.test.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.svcmailbox.test.process.Programs;

/**
 * A small ext4 file system in a file, mounted through a loop device. It can be filled, it can fail
 * as if its device broke, and its power can be cut. Unsynced data is then lost. Only root can have
 * one.
 */
public final class LoopDisk implements AutoCloseable {
  // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from now on nothing reaches the disk, not
  // even the journal that is in memory.
  private static final String PERL =
      "open(my $f, '<', $ARGV[0]) or die $!; my $flag = pack('L', 2);"
          + " ioctl($f, 0x8004587d, $flag) or die $!";
  private static final String PYTHON =
      "import fcntl, struct, sys;"
          + " fcntl.ioctl(open(sys.argv[1], 'rb'), 0x8004587d, struct.pack('I', 2))";
  private static final List<List<String>> CUTTERS =
      List.of(List.of("perl", "-e", PERL), List.of("python3", "-c", PYTHON));

  private static final int NOTHING_WRONG = 0;
  private static final int MENDED = 1;

  private final Path image;
  private final Path mount;
  private final Path ballast;

  private LoopDisk(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
    this.ballast = mount.resolve("ballast");
  }

  /** Whether this process may mount file systems. */
  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && Files.isWritable(Path.of("/dev/loop-control"));
  }

  /**
   * Creates an empty disk.
   *
   * @param mount where its files are visible; the file system's image is next to it
   */
  public static LoopDisk mount(Path mount, int mebibytes) {
    LoopDisk disk = new LoopDisk(image(mount), mount);
    try {
      Files.createDirectories(mount);
      Files.deleteIfExists(disk.image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("truncate", "--size=" + mebibytes + "M", disk.image.toString());
    // Without room that only root may use.
    run("mkfs.ext4", "-q", "-m", "0", disk.image.toString());
    disk.mount();
    return disk;
  }

  private void mount() {
    run("mount", "-o", "loop,errors=remount-ro", image.toString(), mount.toString());
  }

  /** Bytes that are free. */
  public long free() {
    return store(FileStore::getUsableSpace);
  }

  private interface Question {
    long ask(FileStore store) throws IOException;
  }

  private long store(Question question) {
    try {
      return question.ask(Files.getFileStore(mount));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills the disk with another file, except for {@code leave} bytes, as far as possible. */
  public void fill(long leave) {
    clear();
    long room = free() - leave;
    if (room > 0) {
      run("fallocate", "--length=" + room, ballast.toString());
    }
  }

  /** Removes what {@link #fill} made. */
  public void clear() {
    try {
      Files.deleteIfExists(ballast);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has the file system meet an error: it is read-only from now on. */
  public void fail() {
    Path device = Path.of(output("findmnt", "--noheadings", "--output=SOURCE", mount.toString()));
    try {
      Files.writeString(
          Path.of("/sys/fs/ext4", device.getFileName().toString(), "trigger_fs_error"), "1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether {@link #cutPower} finds the program that it needs. */
  public static boolean canBeCut() {
    return CUTTERS.stream().anyMatch(cutter -> Programs.find(cutter.get(0)).isPresent());
  }

  /** Makes it lose everything that was not synced; nothing can be read or written from now on. */
  public void cutPower() {
    List<String> command =
        CUTTERS.stream()
            .filter(cutter -> Programs.find(cutter.get(0)).isPresent())
            .map(ArrayList::new)
            .findFirst()
            .orElseThrow();
    command.add(mount.toString());
    run(command.toArray(String[]::new));
  }

  /** Where its files are seen. */
  public Path path() {
    return mount;
  }

  /**
   * Mounts a copy of it, as a power cut would leave it now.
   *
   * @param elsewhere where its files are seen
   */
  public LoopDisk afterPowerCut(Path elsewhere) {
    LoopDisk other = new LoopDisk(image(elsewhere), elsewhere);
    try {
      Files.createDirectories(elsewhere);
      Files.copy(image, other.image, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    other.mount();
    return other;
  }

  private static Path image(Path mount) {
    return mount.resolveSibling(mount.getFileName() + ".ext4");
  }

  /** Switches it on again after {@link #cutPower}; nobody may use it meanwhile. */
  public void remount() {
    run("umount", mount.toString());
    mount();
  }

  /** Checks it, mounts it again and empties it of {@link #fill}; nobody may use it meanwhile. */
  public void repair() {
    run("umount", mount.toString());
    int outcome = call(List.of("e2fsck", "-f", "-y", image.toString())).status();
    if (!Set.of(NOTHING_WRONG, MENDED).contains(outcome)) {
      throw new IllegalStateException("e2fsck ended with " + outcome);
    }
    mount();
    // Its removal may be lost.
    clear();
  }

  /** Removes it with all that is on it; somebody may still use it. */
  @Override
  public void close() {
    run("umount", "--lazy", mount.toString());
    try {
      Files.delete(image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Result(int status, String output) {}

  private static void run(String... command) {
    output(command);
  }

  private static String output(String... command) {
    Result result = call(List.of(command));
    if (result.status() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + result.output());
    }
    return result.output();
  }

  private static Result call(List<String> words) {
    String program = words.get(0);
    List<String> command = new ArrayList<>(words);
    command.set(0, Programs.find(program).map(Path::toString).orElse(program));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
