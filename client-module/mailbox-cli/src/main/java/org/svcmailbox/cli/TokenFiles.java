package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;

/** Capabilities in files: the only way to pass one in, and the preferred way to get one out. */
final class TokenFiles {
  private static final int MAX = 8192;

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private TokenFiles() {}

  /**
   * Reads a capability.
   *
   * @param file null for the configured token file
   * @throws UsageException if there is none
   */
  static Capability read(@Nullable Path file, Surroundings surroundings) {
    Path path =
        file != null ? file : ServiceOptions.tokenFile(surroundings, ConfigFile.read(surroundings));
    try (InputStream in = Input.open(path, surroundings)) {
      return Capability.parse(new String(in.readNBytes(MAX), StandardCharsets.US_ASCII).strip());
    } catch (IOException e) {
      throw Input.unreadable(path, e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The public parts of a capability. */
  static ObjectNode describe(Capability capability) {
    ObjectNode json =
        JsonOutput.object()
            .put("key_id", capability.keyId())
            .put("nonce", capability.nonce())
            .put("location", capability.location());
    json.set("caveats", JsonOutput.json(capability.caveats()));
    capability.expires().ifPresent(end -> json.put("expires", end.toString()));
    return json;
  }

  /**
   * Writes a token to a new file that only its owner can read, or adds it to the printed object.
   *
   * @param file null to print it
   */
  static void hand(String token, @Nullable Path file, ObjectNode printed) {
    if (file == null) {
      printed.put("capability", token);
      return;
    }
    try (var channel =
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE)) {
      channel.write(StandardCharsets.US_ASCII.encode(token + "\n"));
    } catch (FileAlreadyExistsException e) {
      throw new UsageException(file + " is there already", e);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be written", e);
    }
  }
}
