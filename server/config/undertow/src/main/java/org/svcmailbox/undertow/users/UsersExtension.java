package org.svcmailbox.undertow.users;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives every deployment that sees this extension a function for the server's users, with plain
 * types, because the application's classes are not known here.
 */
public final class UsersExtension implements ServletExtension {
  /** The attribute; its value is a {@code BiFunction<String, char[], Set<String>>}. */
  static final String USERS = "org.svcmailbox.users";

  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    // A lambda, because the class itself is only loaded when it is called, and needs what only
    // WildFly has.
    BiFunction<String, char[], @Nullable Set<String>> users =
        (user, password) -> DomainUsers.roles(user, password);
    context.setAttribute(USERS, users);
  }
}
