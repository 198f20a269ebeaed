package org.svcmailbox.ejb.sendlog;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system on a disk of its own, whose power can be cut. Gone when closed. */
final class LoopDisk implements AutoCloseable {
  private static final long BYTES = 256L << 20;

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

  private final Path image;
  private final Path root;
  private final List<String> cutter;

  private LoopDisk(Path directory, List<String> cutter) {
    this.image = directory.resolve("disk.img");
    this.root = directory.resolve("disk");
    this.cutter = cutter;
  }

  /** Why there can be no such disk here, if so. */
  static Optional<String> obstacle(Path directory) throws IOException {
    if (cutter().isEmpty()) {
      return Optional.of("neither perl nor python3 is here");
    }
    if (!SystemCommand.isThere("mkfs.ext4") || !SystemCommand.isThere("losetup")) {
      return Optional.of("mkfs.ext4 or losetup is not here");
    }
    if (!SystemCommand.run("id", "-u").output().equals("0")) {
      return Optional.of("only root may mount");
    }
    LoopDisk trial = new LoopDisk(directory, cutter().orElseThrow());
    try {
      trial.format();
      SystemCommand.Result mounted = trial.tryMount();
      return mounted.isFine() ? Optional.empty() : Optional.of(mounted.output());
    } finally {
      trial.close();
    }
  }

  /** Makes and mounts an empty one. */
  static LoopDisk create(Path directory) throws IOException {
    LoopDisk disk = new LoopDisk(directory, cutter().orElseThrow());
    try {
      disk.format();
      disk.tryMount().require();
      return disk;
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  private static Optional<List<String>> cutter() throws IOException {
    for (List<String> cutter : CUTTERS) {
      if (SystemCommand.isThere(cutter.get(0))) {
        return Optional.of(cutter);
      }
    }
    return Optional.empty();
  }

  /** Its root directory. */
  Path root() {
    return root;
  }

  /** Makes it lose everything that was not synced; {@code file} is any file on it. */
  void cutPower(Path file) throws IOException {
    SystemCommand.run(cutter.get(0), cutter.get(1), cutter.get(2), file.toString()).require();
  }

  /** Switches it on again. */
  void remount() throws IOException {
    SystemCommand.run("umount", root.toString()).require();
    tryMount().require();
  }

  private void format() throws IOException {
    release(); // what a killed test run may have left
    Files.createDirectories(root);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    SystemCommand.run("mkfs.ext4", "-q", "-F", image.toString()).require();
  }

  private SystemCommand.Result tryMount() throws IOException {
    // The loop device frees itself with the last unmount.
    return SystemCommand.run("mount", "-o", "loop", image.toString(), root.toString());
  }

  private void release() throws IOException {
    if (SystemCommand.run("mountpoint", "-q", root.toString()).isFine()
        && !SystemCommand.run("umount", root.toString()).isFine()) {
      SystemCommand.run("umount", "--lazy", root.toString()).require();
    }
  }

  @Override
  public void close() throws IOException {
    release();
    Files.deleteIfExists(image);
  }
}
