# The server with Node, its packages and nothing for development. Data of the embedded database and files are in /data.
FROM node:24-slim AS packages
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
# Only what the server itself needs: no workspaces, whose packages count as needed, and no second Node.
RUN npm pkg delete devDependencies workspaces scripts.prepare && npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force

# The application at /admin, GraphiQL, the guide and the image of a new embedded database, built as after `npm ci`.
FROM node:24-slim AS application
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund --ignore-scripts && npm run prepare

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8055 DATA_DIR=/data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY openapi openapi
COPY graphql graphql
COPY src src
COPY --from=application /app/admin/dist admin/dist
COPY --from=application /app/docs/dist docs/dist
COPY --from=application /app/graphiql/dist graphiql/dist
COPY --from=application /app/dist dist
COPY sdk/src/project-types sdk/src/project-types
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8055
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/server/ping`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.js"]
CMD ["start"]
