package org.svcmailbox.console.users;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;
import org.svcmailbox.core.settings.MailboxSettings;

/** Changes users' passwords in the server's files. */
@Singleton
public final class PasswordChanges {
  private static final Logger LOG = System.getLogger(PasswordChanges.class.getName());

  private final Optional<FileUsers> files;

  /** The result of a change. Only {@code CHANGED} means that anything has changed. */
  public enum Outcome {
    CHANGED,
    /** The files have another password for the user, or none. */
    ELSEWHERE,
    /** Another change is running, or a change was killed. */
    BUSY,
    /** The files cannot be written. */
    READ_ONLY
  }

  @Inject
  public PasswordChanges(MailboxSettings settings) {
    this(settings.console().oidc().isPresent() ? Optional.empty() : FileUsers.find());
  }

  PasswordChanges(Optional<FileUsers> files) {
    this.files = files;
  }

  /** Whether the files contain the user. Without a provider, users may also be in another realm. */
  public boolean isOffered(String user) {
    return files.filter(present -> present.has(user)).isPresent();
  }

  /**
   * Changes a password.
   *
   * @param old the password that the user signs in with
   * @param ready called when only the replacement remains to be done; throws to prevent it
   */
  public Outcome change(String user, String old, String next, Runnable ready) {
    try {
      boolean isChanged = files.isPresent() && files.get().change(user, old, next, ready);
      return isChanged ? Outcome.CHANGED : Outcome.ELSEWHERE;
    } catch (FileAlreadyExistsException e) {
      LOG.log(
          Level.WARNING,
          "A password was not changed, because another change runs or was killed;"
              + " if none runs, remove {0}",
          e.getFile());
      return Outcome.BUSY;
    } catch (IOException e) {
      LOG.log(Level.ERROR, "The file of the console's passwords cannot be written", e);
      return Outcome.READ_ONLY;
    }
  }
}
