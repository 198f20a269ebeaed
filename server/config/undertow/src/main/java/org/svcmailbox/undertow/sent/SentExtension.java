package org.svcmailbox.undertow.sent;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/**
 * Reports sent responses to each deployment that requests it by a context parameter named {@value
 * SentHandler#ATTRIBUTE}. A context attribute with the same name announces that there will be
 * reports.
 */
public final class SentExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    if (deployment.getInitParameters().containsKey(SentHandler.ATTRIBUTE)) {
      context.setAttribute(SentHandler.ATTRIBUTE, true);
      deployment.addInnerHandlerChainWrapper(SentHandler::new);
    }
  }
}
