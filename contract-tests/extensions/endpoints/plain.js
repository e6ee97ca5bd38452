export default () => 'plain'
