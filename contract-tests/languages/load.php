<?php
// Loads every class of a generated client; prints what does not load.
error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/GuzzleHttp/autoload.php';
$folder = $argv[1] . '/lib/';
spl_autoload_register(function (string $class) use ($folder) {
    $file = $folder . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder)) as $file) {
    if ($file->getExtension() === 'php') {
        require_once $file->getPathname();
    }
}
