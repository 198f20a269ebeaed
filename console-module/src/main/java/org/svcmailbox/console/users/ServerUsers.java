package org.svcmailbox.console.users;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.servlet.ServletContext;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Validates credentials against the server's security domain. No standard API does this, so our
 * server extension publishes a function as a context attribute. It maps name and password to the
 * user's roles, and returns null for invalid credentials. Without the attribute, {@link FileUsers}
 * decide.
 */
@Singleton
public class ServerUsers implements IdentityStore {
  /** The attribute; its value is a {@code BiFunction<String, char[], Set<String>>}. */
  static final String ATTRIBUTE = "org.svcmailbox.users";

  private final ServletContext context;

  @Inject
  public ServerUsers(ServletContext context) {
    this.context = context;
  }

  @Override
  public CredentialValidationResult validate(Credential credential) {
    if (!(credential instanceof UsernamePasswordCredential given)) {
      return CredentialValidationResult.NOT_VALIDATED_RESULT;
    }
    Object roles =
        context.getAttribute(ATTRIBUTE) instanceof BiFunction<?, ?, ?> users
            ? ask(users, given)
            : fromFiles(given);
    return roles instanceof Set<?> names
        ? new CredentialValidationResult(given.getCaller(), strings(names))
        : CredentialValidationResult.INVALID_RESULT;
  }

  private static @Nullable Set<String> fromFiles(UsernamePasswordCredential given) {
    return FileUsers.find()
        .map(files -> files.roles(given.getCaller(), given.getPassword().getValue()))
        .orElse(null);
  }

  @SuppressWarnings("unchecked")
  private static Object ask(BiFunction<?, ?, ?> users, UsernamePasswordCredential given) {
    return ((BiFunction<String, char[], Set<String>>) users)
        .apply(given.getCaller(), given.getPassword().getValue());
  }

  private static Set<String> strings(Set<?> names) {
    return names.stream().map(String::valueOf).collect(Collectors.toSet());
  }
}
